import * as z from 'zod';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { HumanRequestSchema } from '../../../core/human.js';
import { checkKeys } from '../../../core/options.js';
import type { Outcome } from '../../../core/outcome.js';
import type { RunListeners } from '../../../engine/events.js';
import { answerAsked, type Replied, ReplySchema } from '../shared/answer-asked.js';
import { reviewParts, runIdFrom } from '../shared/review-parts.js';

export interface ReviewStepOptions<Task, Output, Input, Result> {
  readonly id: string;
  readonly inputSchema: z.ZodType<Input>;
  readonly outputSchema: z.ZodType<Result>;
  readonly task: (input: Input) => Task;
  /** Returns what the step returns. Look at `status`: a run may end without approval. */
  readonly output: (outcome: Outcome<Output>) => Result;
}

/** The parameters of `createStep`. */
export interface ReviewStep<Input, Result> {
  readonly id: string;
  readonly inputSchema: z.ZodType<Input>;
  readonly outputSchema: z.ZodType<Result>;
  /** The schema of what the step is suspended with. */
  readonly suspendSchema: typeof SuspendSchema;
  /** The schema of a reply. */
  readonly resumeSchema: typeof ReplySchema;
  /** Runs the pipeline, or continues it with a reply. */
  readonly execute: (call: MastraStepCall<Input>) => Promise<Result>;
}

export interface StepWriter {
  /** Writes a part into the stream of the workflow. */
  custom(part: never): Promise<void>;
}

export interface MastraStepCall<Input> {
  readonly inputData: Input;
  readonly resumeData?: unknown;
  readonly runId: string;
  readonly abortSignal: AbortSignal;
  readonly writer?: StepWriter | undefined;
  readonly suspend: (payload: z.output<typeof SuspendSchema>) => unknown;
}

/**
 * Returns the parameters of a step of Mastra that runs a pipeline. A question to a person suspends
 * the workflow with the request. Resume with `{ id, digest, answer }`. A reply that does not count,
 * such as one about another version, is told: the workflow is suspended again, with `refused`, or the
 * step fails, with `request_answered`, if somebody else has ended the run.
 *
 * The stream of the workflow contains what a review finds: `data-review`, `data-gaps`,
 * `data-request` and `data-outcome`.
 *
 * The run has the id of the run of the workflow and of the step. The store of the pipeline must
 * outlive the process as the storage of Mastra does.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function reviewStep<Task, Output, Input, Result>(
  pipeline: Pipeline<Task, Output>,
  options: ReviewStepOptions<Task, Output, Input, Result>,
): ReviewStep<Input, Result> {
  checkKeys('reviewStep', options, ['id', 'inputSchema', 'outputSchema', 'task', 'output']);
  const { task, output, ...step } = options;
  const execute = async (call: MastraStepCall<Input>): Promise<Result> => {
    const { inputData, resumeData, abortSignal, suspend } = call;
    const runId = runIdFrom(`${call.runId}:${step.id}`);
    const given = { runId, signal: abortSignal, on: partsInto(call.writer) };
    const again = (): Promise<Outcome<Output>> => pipeline.run(task(inputData), given);
    const asked = await again();
    const { outcome, refused }: Replied<Output> =
      resumeData === undefined
        ? { outcome: asked }
        : await answerAsked(pipeline, asked, { reply: resumeData, again, options: given });
    if (outcome.status !== 'suspended') return output(outcome);
    // Mastra knows the result of `suspend` as the end of the step
    return suspend({ ...outcome.requests[0], refused }) as Result;
  };
  return { ...step, suspendSchema: SuspendSchema, resumeSchema: ReplySchema, execute };
}

function partsInto(writer: StepWriter | undefined): RunListeners {
  if (writer === undefined) return {};
  return reviewParts((part) => {
    // a reader that has left does not end the run
    writer.custom(part as never).catch(() => {});
  });
}

/** What a step is suspended with: the question, and why the last reply did not count. */
const SuspendSchema = z.object({ ...HumanRequestSchema.shape, refused: z.string().optional() });
