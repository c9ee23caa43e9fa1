import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { type Gap, GapSchema } from './gap.js';

/** A letter, number, sign or symbol that people see. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Fillers and other characters of those kinds that show nothing; the empty Braille cell too. */
const blank = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns whether a text shows at least one character: it can name somebody. */
export function isVisible(text: string): boolean {
  return visible.test(text.replace(blank, ''));
}

export const PersonNameSchema = builtOnUse(() =>
  z.string().trim().refine(isVisible, 'expected a name: it shows no character'),
);
const by = PersonNameSchema;
const reason = builtOnUse(() => z.string().trim().min(1));

/** What a person can answer. An override needs a reason; a revision needs a note. */
export const HumanAnswerSchema = builtOnUse(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve'), by, reason: reason.optional() }),
    z.object({ kind: z.literal('reject'), by, reason: reason.optional() }),
    z.object({ kind: z.literal('revise'), by, note: reason }),
    z.object({ kind: z.literal('override'), by, reason }),
    z.object({ kind: z.literal('skip'), by, reason: reason.optional() }),
    z
      .object({
        kind: z.literal('decide'),
        by,
        decisions: z
          .record(z.string(), z.enum(['yes', 'no']))
          .refine((decisions) => Object.keys(decisions).length > 0, 'it decides nothing'),
        missing: z.record(z.string(), reason).optional(),
        approve: z.literal(true).optional(),
        reason: reason.optional(),
      })
      .refine(
        ({ decisions, missing = {} }) =>
          Object.keys(missing).every((name) => decisions[name] === 'no'),
        { path: ['missing'], error: 'only what has a `no` is missing' },
      ),
    z.object({
      kind: z.literal('reply'),
      by,
      value: z.unknown().refine((value): boolean => value !== undefined, 'it has no value'),
      reason: reason.optional(),
    }),
  ]),
);

export interface PlainAnswer {
  readonly kind: 'approve' | 'reject' | 'skip';
  readonly by: string;
  readonly reason?: string | undefined;
}

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
  /**
   * By criterion that is not met: what is missing. It describes the gap.
   *
   * @default the question
   */
  readonly missing?: Readonly<Record<string, string>> | undefined;
  /**
   * Approves the version too, so that nobody is asked again. Every must-have needs a `yes`, and
   * nothing a `no`. The question must allow it by `approves`.
   *
   * @default the decisions only
   */
  readonly approve?: true | undefined;
  readonly reason?: string | undefined;
}

export interface ReplyAnswer {
  readonly kind: 'reply';
  readonly by: string;
  /** JSON data that the `responseSchema` of the question accepts. */
  readonly value: unknown;
  readonly reason?: string | undefined;
}

/** What a person answered. */
export type HumanAnswer =
  | PlainAnswer
  | RevisionAnswer
  | OverrideAnswer
  | DecisionAnswer
  | ReplyAnswer;

export type HumanAnswerKind = HumanAnswer['kind'];

/** What the audit log calls the answer. */
export function decisionOf(answer: HumanAnswer): string {
  return answer.kind === 'decide' && answer.approve === true ? 'decide and approve' : answer.kind;
}

const kinds = builtOnUse(() =>
  z.enum(['approve', 'reject', 'revise', 'override', 'skip', 'decide', 'reply']),
);

export type Asker = 'produce' | 'address' | 'reviewer' | 'policy';

/** A question that `produce`, `address` or a reviewer asks a person. */
export interface AskRequest {
  readonly question: string;
  /** The kinds of answer that are accepted. */
  readonly allowed: readonly HumanAnswerKind[];
  /**
   * What the question is about, as JSON data: for example a tool and its arguments. An answer in
   * `produce` and `address` counts for an equal subject only.
   *
   * @default the question
   */
  readonly subject?: unknown;
  /** The gaps that the person decides on. @default [] */
  readonly gaps?: readonly Gap[] | undefined;
  /** The JSON Schema that the value of a `reply` must match. @default any JSON data */
  readonly responseSchema?: object | undefined;
}

/** A question to a person, bound to one version of one run, or to its subject. */
export const HumanRequestSchema = builtOnUse(() =>
  z.object({
    /** A hash of the run, the name of the question and the version digest. */
    id: z.string(),
    runId: z.string(),
    /** The digest of the version that the question is about; in `produce` and `address`, of its subject. */
    digest: z.string(),
    /** Who asks. */
    from: z.enum(['produce', 'address', 'reviewer', 'policy']).optional(),
    /** What the question is about, if it is not a version. */
    subject: z.unknown().optional(),
    responseSchema: z.record(z.string(), z.unknown()).optional(),
    question: z.string(),
    /** The gaps that the person decides on. */
    gaps: z.array(GapSchema).readonly(),
    /** The kinds of answer that are accepted. */
    allowed: z.array(kinds).readonly(),
    /** When the question expires, as ISO 8601. */
    expiresAt: z.string().optional(),
    /** What no judge could decide, by criterion. The answer `decide` decides it. */
    undecided: z
      .array(
        z.object({
          criterion: z.string(),
          question: z.string(),
          reason: z.string(),
          /** `false` if it may stay open. */
          mandatory: z.boolean().optional(),
        }),
      )
      .readonly()
      .optional(),
    /** Whether the reviewers approve. If not, approving is an override and needs a reason. */
    approved: z.boolean().optional(),
    /** Whether the answer `decide` may approve the version too. */
    approves: z.boolean().optional(),
  }),
);
/** A question to a person, bound to one version of one run, or to its subject. */
export interface HumanRequest extends z.infer<typeof HumanRequestSchema> {
  readonly gaps: readonly Gap[];
  readonly allowed: readonly HumanAnswerKind[];
}

/** Such an approval needs a reason: reviewers did not approve, or gaps are open. */
export function isOverride(request: HumanRequest): boolean {
  const { approved, gaps } = request;
  if (isAboutWork(request)) return false;
  return approved === false || (approved === undefined && gaps.length > 0);
}

/** No version is behind such a question. */
export function isAboutWork({ from }: Pick<HumanRequest, 'from'>): boolean {
  return from === 'produce' || from === 'address';
}

export function isExpired({ expiresAt }: HumanRequest, now: number): boolean {
  return expiresAt !== undefined && now > Date.parse(expiresAt);
}
