import { checkKeys } from '../../core/options.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { type ReviewSummary, reviewSummary } from '../shared/review-summary.js';

/** Options of {@link reviewGuardrail}. */
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

/**
 * Returns an output guardrail that reviews what an agent made. Its tripwire is triggered unless the
 * output is approved; `outputInfo` has the gaps. A guardrail cannot change the output: a pipeline
 * with {@link agentsProducer} lets the agent revise it.
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
      const outputInfo = reviewSummary(await pipeline.review(task, agentOutput));
      return { tripwireTriggered: !outputInfo.approved, outputInfo };
    },
  };
}
