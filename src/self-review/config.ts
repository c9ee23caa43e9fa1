import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { ReviewLoopError } from '../core/errors.js';

const share = builtOnUse(() => z.number().min(0).max(1));

/**
 * Seed 004's configuration. Counts of iterations are 1-based: an iteration is one review, and there is no fix after the
 * last one. Members are checked against each other.
 */
export const SelfReviewConfigSchema = builtOnUse(() =>
  z
    .strictObject({
      /** Whether to review at all; without it the produced output is accepted, not approved. */
      enabled: z.boolean().default(true),
      /** How many reviews there may be, 1 to 10. */
      maxIterations: z.int().min(1).max(10).default(3),
      /** The overall score that is needed, 0 to 1. */
      qualityThreshold: share.default(0.8),
      /** The share of requirements that must be covered, 0 to 1. */
      completenessThreshold: share.default(0.9),
      /** Whether critical gaps escalate at all. */
      escalateOnCriticalGaps: z.boolean().default(true),
      /** Whether critical gaps escalate at the first review, or only after one attempt to fix them. */
      escalateCritical: z.enum(['immediate', 'after-attempt']).default('immediate'),
      /** From this review on, an overall score below 0.7 of `qualityThreshold` escalates. Default 2, or `maxIterations` if that is less. */
      escalateAfterIterations: z.int().min(1).optional(),
      /** More critical gaps than this escalate. */
      maxCriticalGapsBeforeEscalate: z.int().min(0).default(1),
      /** How long one review and the fix after it may take, in milliseconds. */
      timeoutPerIterationMs: z.number().positive().default(60_000),
      /** Whether a verdict is reused while what its criterion reads is equal: within a run, and over runs where there is a verdict store. */
      cacheReviewResults: z.boolean().default(true),
      /** Whether the lesson store, and a `BaseAgent`, hear of the run afterwards. */
      captureForLearning: z.boolean().default(true),
      /** How many gaps a run must have had for its lessons to be captured. */
      learningThresholdGaps: z.int().min(0).default(3),
    })
    .transform((config) => ({
      ...config,
      escalateAfterIterations: config.escalateAfterIterations ?? Math.min(2, config.maxIterations),
    }))
    .refine((config) => config.escalateAfterIterations <= config.maxIterations, {
      message: 'escalateAfterIterations is beyond maxIterations, so it would never hold',
      path: ['escalateAfterIterations'],
    }),
);

/** Seed 004's configuration, with every default filled in. */
export type SelfReviewConfig = z.infer<typeof SelfReviewConfigSchema>;

/** What may be given of it; `undefined` counts as left out. */
export type PartialSelfReviewConfig = {
  [Key in keyof SelfReviewConfig]?: SelfReviewConfig[Key] | undefined;
};

/**
 * The configuration that several partial ones give, the later over the earlier.
 *
 * @throws ReviewLoopError `invalid_options`, naming every member that is wrong.
 */
export function selfReviewConfig(...given: readonly PartialSelfReviewConfig[]): SelfReviewConfig {
  const merged = Object.fromEntries(
    given.flatMap((config) => Object.entries(config)).filter(([, value]) => value !== undefined),
  );
  const parsed = SelfReviewConfigSchema.safeParse(merged);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    'invalid_options',
    `the self-review configuration was refused: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: merged },
  );
}
