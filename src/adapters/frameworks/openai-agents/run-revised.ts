import * as z from 'zod';
import { revisionPrompt } from '../../../blocks/address/revision-prompt.js';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { builtOnUse } from '../../../core/built-on-use.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { Gap } from '../../../core/gap.js';
import { checkKeys, checkWhole } from '../../../core/options.js';
import { systemRandom } from '../../../ports/random.js';
import { type ReviewSummary, reviewSummary } from '../shared/review-parts.js';

export interface RunRevisedOptions {
  /** The greatest number of runs of the agent; a whole number from 1. @default 3 */
  readonly attempts?: number | undefined;
}

/**
 * Runs an agent of the OpenAI Agents SDK whose output guardrail is a `reviewGuardrail`. When the
 * guardrail trips, the agent runs again with its conversation and the gaps, and the guardrail reviews
 * what it makes then. So the result is always one that the guardrail let through. After the last
 * attempt, the error of the SDK is thrown; any other error is thrown at once.
 *
 * @param run - Calls the runner with the input that it is given, without `stream`.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const result = await runRevised((input) => runner.run(agent, input), 'Write about tea');
 * ```
 */
export async function runRevised<Result extends object>(
  run: (input: never) => Promise<Result>,
  input: string | readonly object[],
  options: RunRevisedOptions = {},
): Promise<Result> {
  checkKeys('runRevised', options, ['attempts']);
  const { attempts = 3 } = options;
  checkWhole('attempts', attempts, 1);
  const secret = systemRandom.nonce();
  let now: string | readonly object[] = input;
  for (let left = attempts - 1; ; left -= 1)
    try {
      // the types of an input are those of the SDK, which this module does not import
      return finished(await run(now as never));
    } catch (error) {
      const tripped = trippedBy(error);
      if (tripped === undefined || left === 0) throw error;
      const { refusal, history } = tripped;
      const content = revisionPrompt({ ...refusal, secret });
      now = [...(history ?? itemsOf(input)), { role: 'user', content }];
    }
}

function finished<Result extends object>(result: Result): Result {
  if (!('completed' in result)) return result;
  throw new ReviewLoopError(
    'invalid_options',
    'runRevised needs a run without `stream`: what a guardrail refuses is known at its end',
  );
}

function itemsOf(input: string | readonly object[]): readonly object[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

const tripwire = builtOnUse(() =>
  z.object({
    result: z.object({ output: z.object({ outputInfo: z.custom<object>(isObject) }) }),
    state: z.object({ history: z.array(z.custom<object>(isObject)) }).optional(),
  }),
);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function trippedBy(
  error: unknown,
): { readonly refusal: Refusal; readonly history: readonly object[] | undefined } | undefined {
  const { data } = tripwire.safeParse(error);
  const refusal = data && refusals.get(data.result.output.outputInfo);
  return refusal && { refusal, history: data.state?.history };
}

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

interface Refusal {
  readonly output: unknown;
  readonly gaps: readonly Gap[];
}

const refusals = new WeakMap<object, Refusal>();

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
