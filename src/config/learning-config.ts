import * as z from 'zod';

export interface ConfiguredLearning {
  /**
   * A file of labels beside the answers in stored runs, as `calibrate --export-labels` writes it. Its
   * path is relative to the configuration.
   *
   * @default none
   */
  readonly labels?: string | undefined;
  /**
   * Least share of verdicts of a judge that people agree with, from 0 to 1. The low end of the
   * interval must reach it.
   *
   * @default 0.7
   */
  readonly minAgreement?: number | undefined;
  /** Least number of decisions about passes, or about fails, of a judge; from 1. @default 20 */
  readonly minDecisions?: number | undefined;
}

/** The schema of {@link ConfiguredLearning}. */
export const LearningConfigSchema = z.strictObject({
  labels: z.string().min(1).optional(),
  minAgreement: z.number().min(0).max(1).optional(),
  minDecisions: z.int().min(1).optional(),
});

/** Returns whether runs store lessons. */
export function learns(learn: boolean | ConfiguredLearning | undefined): boolean {
  return learn !== undefined && learn !== false;
}
