import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';

export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'https://reviewloop.dev/attestation/review/v1';

const sha256 = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const count = z.int().min(0);
const words = z.array(z.string());

/** Nothing of the work stands in it. */
const PredicateSchema = builtOnUse(() =>
  z.object({
    verdict: z.enum(['approved', 'accepted']),
    decidedBy: z.enum(['reviewers', 'person']),
    at: z.string(),
    runId: z.string(),
    pipeline: z.string(),
    task: z.object({ digest: sha256 }),
    policy: z.object({
      digest: sha256,
      bars: z.array(z.object({ score: z.string(), at: z.number() })),
    }),
    /** Who accepted what reviewers did not approve, and why. */
    acceptance: z.object({ kind: z.string(), by: z.string(), reason: z.string() }).optional(),
    /** The version of a reviewer is a digest of its prompt, its model and its settings. */
    reviewers: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        version: z.string(),
        model: z.string().optional(),
      }),
    ),
    requirements: z.object({
      met: count,
      notMet: count,
      /** How many of those a person decided. */
      decidedByPerson: count,
      undecided: count,
      undecidedOptional: count,
    }),
    decisions: z.array(
      z.object({
        answer: z.string(),
        by: z.string(),
        at: z.string(),
        /** What was decided, by requirement or criterion. */
        about: z.record(z.string(), z.string()).optional(),
        /** The hash of its record in the audit log. */
        auditRecord: z.string().optional(),
      }),
    ),
    /** Requirements and criteria that nobody decided. */
    notJudged: words,
    notReviewed: z.array(z.object({ path: z.string(), reason: z.string() })),
    /** Requirements that are left out on purpose. */
    waived: words,
    /** What somebody found, although the version is approved or accepted. */
    dissent: z.array(
      z.object({ criterion: z.string(), by: z.string().optional(), said: z.string() }),
    ),
    verdictsReused: count,
    journal: z.object({ digest: sha256 }),
    /** The program and the platform that ran it. */
    tool: z.object({ name: z.string(), version: z.string(), engine: z.string() }),
  }),
);

export const StatementSchema = builtOnUse(() =>
  z.object({
    _type: z.literal(statementType),
    subject: z
      .array(z.object({ name: z.string(), digest: z.record(z.string(), z.string()) }))
      .min(1),
    predicateType: z.literal(predicateType),
    predicate: PredicateSchema,
  }),
);

/** A review as a statement of in-toto. */
export interface Statement extends z.infer<typeof StatementSchema> {}

/** It stands for the whole version: its digest is `outcome.version`. */
export const versionName = 'reviewloop:version';

export function fileSubjects({ subject }: Statement): ReadonlyMap<string, string> {
  return new Map(
    subject.flatMap(({ name, digest: { sha256: digest } }): [string, string][] =>
      digest === undefined || name === versionName ? [] : [[name, digest]],
    ),
  );
}
