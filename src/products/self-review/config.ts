import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { checkPlain } from '../../core/options.js';

const share = builtOnUse(() => z.number().min(0).max(1));

/**
 * The configuration of self-review. An iteration is one review. Iterations count from 1, and no fix
 * follows the last one.
 */
export const SelfReviewConfigSchema = builtOnUse(() =>
  z
    .strictObject({
      /** Whether to review. If false, the first output is accepted, not approved. */
      enabled: z.boolean().default(true),
      /** The maximum number of reviews, 1 to 10. */
      maxIterations: z.int().min(1).max(10).default(3),
      /** The overall score that approval needs, 0 to 1. */
      qualityThreshold: share.default(0.8),
      /** The share of requirements that must be covered, 0 to 1. */
      completenessThreshold: share.default(0.9),
      /** Whether critical gaps escalate. */
      escalateOnCriticalGaps: z.boolean().default(true),
      /**
       * Whether critical gaps escalate at the first review, or only after one attempt to fix them.
       */
      escalateCritical: z.enum(['immediate', 'after-attempt']).default('immediate'),
      /**
       * From this review on, an overall score below 0.7 of `qualityThreshold` escalates. @default
       * 2, or `maxIterations` if that is less
       */
      escalateAfterIterations: z.int().min(1).optional(),
      /** More critical gaps than this escalate. */
      maxCriticalGapsBeforeEscalate: z.int().min(0).default(1),
      /** The timeout of one review and its fix, in milliseconds. */
      timeoutPerIterationMs: z.number().positive().default(60_000),
      /**
       * Whether verdicts on equal input are reused: within a run, and across runs with a verdict
       * store.
       */
      cacheReviewResults: z.boolean().default(true),
      /** Whether the lesson store and a `BaseAgent` capture the run. */
      captureForLearning: z.boolean().default(true),
      /** The minimum number of gaps in a run whose lessons are captured. */
      learningThresholdGaps: z.int().min(0).default(3),
    })
    .transform((config) => ({
      ...config,
      escalateAfterIterations: config.escalateAfterIterations ?? Math.min(2, config.maxIterations),
    }))
    .refine((config) => config.escalateAfterIterations <= config.maxIterations, {
      message: 'escalateAfterIterations exceeds maxIterations, so it would never apply',
      path: ['escalateAfterIterations'],
    }),
);

/** The configuration of self-review with its defaults. */
export interface SelfReviewConfig extends z.infer<typeof SelfReviewConfigSchema> {}

/** A part of the configuration. A member that is `undefined` counts as missing. */
export type PartialSelfReviewConfig = {
  [Key in keyof SelfReviewConfig]?: SelfReviewConfig[Key] | undefined;
};

/**
 * Returns the configuration from several parts; a later part overrides an earlier one.
 *
 * @throws ReviewLoopError `invalid_options` that names every invalid member
 */
export function selfReviewConfig(...given: readonly PartialSelfReviewConfig[]): SelfReviewConfig {
  for (const config of given) checkPlain('the self-review configuration', config);
  const merged = Object.fromEntries(
    given.flatMap((config) => Object.entries(config)).filter(([, value]) => value !== undefined),
  );
  const parsed = SelfReviewConfigSchema.safeParse(merged);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    'invalid_options',
    `invalid self-review configuration: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: merged },
  );
}
