import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { type Gap, GapSchema } from './gap.js';

const by = builtOnUse(() => z.string().trim().min(1));
const reason = builtOnUse(() => z.string().trim().min(1));

/** What a person can answer. An override needs a reason; a revision needs a note. */
export const HumanAnswerSchema = builtOnUse(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve'), by, reason: reason.optional() }),
    z.object({ kind: z.literal('reject'), by, reason: reason.optional() }),
    z.object({ kind: z.literal('revise'), by, note: reason }),
    z.object({ kind: z.literal('override'), by, reason }),
    z.object({ kind: z.literal('skip'), by, reason: reason.optional() }),
    z.object({
      kind: z.literal('decide'),
      by,
      decisions: z
        .record(z.string(), z.enum(['yes', 'no']))
        .refine((decisions) => Object.keys(decisions).length > 0, 'it decides nothing'),
      reason: reason.optional(),
    }),
  ]),
);

/** An answer that needs no text. */
export interface PlainAnswer {
  readonly kind: 'approve' | 'reject' | 'skip';
  readonly by: string;
  readonly reason?: string | undefined;
}

/** An answer that asks for changes. */
export interface RevisionAnswer {
  readonly kind: 'revise';
  readonly by: string;
  /** What to change. */
  readonly note: string;
}

/** An answer that accepts what reviewers did not approve. */
export interface OverrideAnswer {
  readonly kind: 'override';
  readonly by: string;
  /** Why the version is accepted anyway. */
  readonly reason: string;
}

/** An answer that decides what no judge could tell. */
export interface DecisionAnswer {
  readonly kind: 'decide';
  readonly by: string;
  /** By criterion: whether it is met. What is left out stays undecided. */
  readonly decisions: Readonly<Record<string, 'yes' | 'no'>>;
  readonly reason?: string | undefined;
}

/** What a person answered. */
export type HumanAnswer = PlainAnswer | RevisionAnswer | OverrideAnswer | DecisionAnswer;

/** The kinds of answer. */
export type HumanAnswerKind = HumanAnswer['kind'];

const kinds = builtOnUse(() =>
  z.enum(['approve', 'reject', 'revise', 'override', 'skip', 'decide']),
);

/** A question to a person, bound to one version of one run. */
export const HumanRequestSchema = builtOnUse(() =>
  z.object({
    /** A hash of the run, the name of the question and the version digest. */
    id: z.string(),
    runId: z.string(),
    /** The digest of the version that the question is about. */
    digest: z.string(),
    question: z.string(),
    /** The gaps that the person decides on. */
    gaps: z.array(GapSchema).readonly(),
    /** The kinds of answer that are accepted. */
    allowed: z.array(kinds).readonly(),
    /** When the question expires, as ISO 8601. */
    expiresAt: z.string().optional(),
    /** What no judge could decide, by criterion. The answer `decide` decides it. */
    undecided: z
      .array(z.object({ criterion: z.string(), question: z.string(), reason: z.string() }))
      .readonly()
      .optional(),
    /** Whether the reviewers approve. If not, approving is an override and needs a reason. */
    approved: z.boolean().optional(),
  }),
);
/** A question to a person, bound to one version of one run. */
export interface HumanRequest extends z.infer<typeof HumanRequestSchema> {
  readonly gaps: readonly Gap[];
  readonly allowed: readonly HumanAnswerKind[];
}

/**
 * Returns whether approving is an override, which needs a reason: reviewers did not approve, or
 * gaps are open.
 */
export function isOverride({ approved, gaps }: HumanRequest): boolean {
  return approved === false || (approved === undefined && gaps.length > 0);
}

/** Returns whether a question has expired. */
export function isExpired({ expiresAt }: HumanRequest, now: number): boolean {
  return expiresAt !== undefined && now > Date.parse(expiresAt);
}
