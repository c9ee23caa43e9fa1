import * as z from 'zod';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import {
  type GateOutput,
  type GateOutputs,
  type OutputTypes,
  outputsOf,
} from './payload/outputs.js';

/** One review of a step, as a job file of seed 000 says it. */
export const GateReviewSchema = z.strictObject({
  /** `step` for all outputs together, or the name of an output. */
  run_each: z.string().min(1),
  /** Questions by the name of the criterion. */
  quality_criteria: z.record(z.string().min(1), z.string().min(1)),
  additional_review_guidance: z.string().nullish(),
});
/** One review of a step, as a job file of seed 000 says it. */
export type GateReview = z.infer<typeof GateReviewSchema>;

/** What a step made, and how it is to be reviewed. */
export interface ReviewsInput {
  readonly reviews: readonly GateReview[];
  readonly outputs: GateOutputs;
  /** Every output that the step may have, by name. @default a file, or files where it is a list */
  readonly outputTypes?: OutputTypes | undefined;
  /** What the author says of the work. */
  readonly notes?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One evaluation: a review over some outputs. */
export interface GateTask {
  readonly id: string;
  readonly review: GateReview;
  /** The one file that it is about. */
  readonly target: string | null;
  readonly outputs: readonly GateOutput[];
}

/** A review of which nothing could be evaluated. */
export interface SkippedReview {
  readonly review_run_each: string;
  readonly reason: string;
}

/** What is to be evaluated. */
export interface GatePlan {
  readonly tasks: readonly GateTask[];
  readonly skipped: readonly SkippedReview[];
}

/**
 * One task for each review of the step or of one output, and one for each file of a list.
 *
 * @throws QualityGateError `gate_output_invalid` for a `run_each` that names no output of the step
 */
export function planReviews({
  reviews,
  outputs: given,
  outputTypes = {},
}: Pick<ReviewsInput, 'reviews' | 'outputs' | 'outputTypes'>): GatePlan {
  const outputs = outputsOf(given, outputTypes);
  const tasks: GateTask[] = [];
  const skipped: SkippedReview[] = [];
  for (const [index, data] of checkedReviews(reviews).entries()) {
    const name = data.run_each;
    const found = targetsOf(name, outputs, outputTypes);
    if (found.length === 0)
      skipped.push({
        review_run_each: name,
        reason: outputs.some((output) => output.name === name)
          ? `output ${name} holds no files`
          : `output ${name} is absent`,
      });
    found.forEach(
      (part, at) =>
        void tasks.push({
          id: `review-${index + 1}/${name}${found.length > 1 ? `/${at + 1}` : ''}`,
          review: data,
          ...part,
        }),
    );
  }
  return { tasks, skipped };
}

/** @throws QualityGateError `invalid_options` */
export function checkedReviews(reviews: readonly GateReview[]): readonly GateReview[] {
  const parsed = z.array(GateReviewSchema).safeParse(reviews);
  if (!parsed.success)
    throw new QualityGateError(
      'invalid_options',
      `the reviews were refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: reviews },
    );
  return parsed.data;
}

function targetsOf(
  name: string,
  outputs: readonly GateOutput[],
  types: OutputTypes,
): Pick<GateTask, 'target' | 'outputs'>[] {
  if (name === 'step') return [{ target: null, outputs }];
  const output = outputs.find((candidate) => candidate.name === name);
  if (output === undefined) {
    if (Object.hasOwn(types, name)) return [];
    const known = [
      ...new Set([...outputs.map((candidate) => candidate.name), ...Object.keys(types)]),
    ];
    throw new QualityGateError(
      gateErrors.gate_output_invalid,
      `run_each names ${JSON.stringify(name)}, which is no output of the step; it has ${known.join(', ') || 'none'}`,
      { value: name },
    );
  }
  if (output.type === 'string') return [{ target: null, outputs: [output] }];
  return output.paths.map((path) => ({ target: path, outputs: [{ ...output, paths: [path] }] }));
}
