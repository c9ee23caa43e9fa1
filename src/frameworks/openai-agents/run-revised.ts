import * as z from 'zod';
import { revisionPrompt } from '../../address/revision-prompt.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { checkKeys, checkWhole } from '../../core/options.js';
import { systemRandom } from '../../ports/random.js';
import { type Refusal, refusalOf } from './review-guardrail.js';

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

/** @throws ReviewLoopError `invalid_options` for a run that still goes on */
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

/** Returns what a guardrail of ours refused, and the conversation so far. */
function trippedBy(
  error: unknown,
): { readonly refusal: Refusal; readonly history: readonly object[] | undefined } | undefined {
  const { data } = tripwire.safeParse(error);
  const refusal = data && refusalOf(data.result.output.outputInfo);
  return refusal && { refusal, history: data.state?.history };
}
