import * as z from 'zod';
import { namedValues } from '../../core/text/keys.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import {
  type GateOutput,
  type GateOutputs,
  type OutputTypes,
  outputsOf,
} from './payload/gate-outputs.js';

export const GateReviewSchema = z.strictObject({
  /** `step` for all outputs together, or the name of an output. */
  run_each: z.string().min(1),
  /** Questions by the name of the criterion. */
  quality_criteria: namedValues(z.string().min(1)),
  additional_review_guidance: z.string().nullish(),
});
/** One review of a step, in the format of DeepWork's job files. */
export interface GateReview extends z.infer<typeof GateReviewSchema> {}

export interface ReviewsInput {
  readonly reviews: readonly GateReview[];
  readonly outputs: GateOutputs;
  /**
   * The types of all outputs that the step declares, by name.
   * @default `files` for a list, else `file`
   */
  readonly outputTypes?: OutputTypes | undefined;
  /** The author's notes about the work. @default none */
  readonly notes?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GateTask {
  readonly id: string;
  readonly review: GateReview;
  readonly target: string | null;
  readonly outputs: readonly GateOutput[];
}

/** A review that did not run, because its output is absent or empty. */
export interface SkippedReview {
  /** The name of the output. */
  readonly review_run_each: string;
  readonly reason: string;
}

export interface GatePlan {
  readonly tasks: readonly GateTask[];
  readonly skipped: readonly SkippedReview[];
}

/** One task for each review, and for a list of files one for each file. */
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
          ? `output ${name} contains no files`
          : `output ${name} is absent`,
      });
    for (const [at, part] of found.entries())
      tasks.push({
        id: `review-${index + 1}/${name}${found.length > 1 ? `/${at + 1}` : ''}`,
        review: data,
        ...part,
      });
  }
  return { tasks, skipped };
}

export function checkedReviews(reviews: readonly GateReview[]): readonly GateReview[] {
  const parsed = z.array(GateReviewSchema).safeParse(reviews);
  if (!parsed.success)
    throw new QualityGateError(
      'invalid_options',
      `\`reviews\` are invalid: ${z.prettifyError(parsed.error)}`,
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
      `run_each names ${JSON.stringify(name)}, but the step has no such output; it has ${known.join(', ') || 'none'}`,
      { value: name },
    );
  }
  if (output.type === 'string') return [{ target: null, outputs: [output] }];
  return output.paths.map((path) => ({ target: path, outputs: [{ ...output, paths: [path] }] }));
}
