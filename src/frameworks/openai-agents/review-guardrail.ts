import type { Gap } from '../../core/gap.js';
import { checkKeys } from '../../core/options.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { type ReviewSummary, reviewSummary } from '../shared/review-summary.js';

export interface ReviewGuardrailOptions<Task> {
  /** The task that the output is reviewed against. */
  readonly task: Task;
  /** The name of the guardrail. @default 'reviewloop' */
  readonly name?: string | undefined;
}

/** An output guardrail of the OpenAI Agents SDK. */
export interface ReviewGuardrail<Output> {
  readonly name: string;
  /** Reviews what the agent made. */
  readonly execute: (given: {
    readonly agentOutput: Output;
  }) => Promise<{ readonly tripwireTriggered: boolean; readonly outputInfo: ReviewSummary }>;
}

/** An output that a guardrail refused, and why. */
export interface Refusal {
  readonly output: unknown;
  readonly gaps: readonly Gap[];
}

const refusals = new WeakMap<object, Refusal>();

/** Returns what a guardrail of {@link reviewGuardrail} refused, by its `outputInfo`. */
export function refusalOf(outputInfo: object): Refusal | undefined {
  return refusals.get(outputInfo);
}

/**
 * Returns an output guardrail that reviews what an agent made. Its tripwire is triggered unless the
 * output is approved; `outputInfo` has the gaps. A guardrail cannot change the output: `runRevised`
 * lets the agent revise it, and so does a pipeline with `agentsProducer`.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function reviewGuardrail<Task, Output>(
  pipeline: Pipeline<Task, Output>,
  options: ReviewGuardrailOptions<Task>,
): ReviewGuardrail<Output> {
  checkKeys('reviewGuardrail', options, ['task', 'name']);
  const { task, name = 'reviewloop' } = options;
  return {
    name,
    execute: async ({ agentOutput }) => {
      const review = await pipeline.review(task, agentOutput);
      const outputInfo = reviewSummary(review);
      refusals.set(outputInfo, { output: agentOutput, gaps: review.gaps });
      return { tripwireTriggered: !outputInfo.approved, outputInfo };
    },
  };
}
