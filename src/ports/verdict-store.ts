import * as z from 'zod';
import { AssessmentSchema } from '../core/assessment-schema.js';
import { builtOnUse } from '../core/built-on-use.js';
import { GapSchema } from '../core/gap.js';
import { digestJson } from '../core/json.js';
import { type Usage, UsageSchema } from '../core/usage.js';

export const VerdictInputsSchema = builtOnUse(() =>
  z.strictObject({
    /** Id and version of the reviewer. */
    reviewer: z.string(),
    version: z.string(),
    /** The digest of the task. */
    task: z.string(),
    /** The digest of the data that the reviewer read. */
    view: z.string(),
    /** The digest of the earlier reviews, for a reviewer that receives them. */
    history: z.string().optional(),
  }),
);
/** Everything that a verdict may depend on. */
export interface VerdictInputs extends z.infer<typeof VerdictInputsSchema> {}

const KeptAssessmentSchema = builtOnUse(() => {
  const [pass, fail, , skipped] = AssessmentSchema.options;
  /** The lifecycle of a gap belongs to the run that finds it. */
  const gaps = z.array(GapSchema.omit({ lifecycle: true })).readonly();
  const decidedBy = z.string().optional();
  return z.discriminatedUnion('verdict', [
    pass.extend({ gaps, decidedBy }),
    fail.extend({ gaps, decidedBy }),
    skipped,
  ]);
});

/** A stored verdict of one reviewer: complete, without failed assessments. */
export const StoredVerdictSchema = builtOnUse(() =>
  z.object({
    schema: z.literal(1),
    about: VerdictInputsSchema,
    assessments: z.array(KeptAssessmentSchema).min(1),
    /** What the reviewer used. */
    usage: UsageSchema,
    /** Milliseconds since 1970. */
    at: z.number(),
  }),
);
/** A stored verdict of one reviewer. */
export interface StoredVerdict extends z.infer<typeof StoredVerdictSchema> {
  about: VerdictInputs;
  usage: Usage;
}

/**
 * Caches verdicts across runs. If the cache fails, the reviewer is asked again; the run continues.
 */
export interface VerdictStore {
  /**
   * Returns the verdict under a key, or `undefined`.
   *
   * @throws ReviewLoopError `verdict_corrupt`, `verdict_newer`, `verdict_unavailable`: the
   *   reviewer is asked again, and the error is logged
   */
  readonly get: (key: string) => Promise<StoredVerdict | undefined>;
  /** Stores a verdict, and replaces the one with the same key. */
  readonly put: (key: string, verdict: StoredVerdict) => Promise<void>;
}

/** Returns the key of a verdict: a digest of everything that it depends on. */
export function verdictKey(about: VerdictInputs): string {
  return digestJson(about);
}
