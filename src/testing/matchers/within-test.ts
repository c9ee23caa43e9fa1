import { onAbort } from '../../core/abort-signal.js';
import { ReviewLoopError } from '../../core/errors.js';
import { checkPositive } from '../../core/options.js';
import { type Clock, elapsedOn, systemClock } from '../../ports/clock.js';
import type { RunningTest } from './running-test.js';

export interface TestLimits {
  /** The judge, for people. */
  readonly judge: string;
  readonly test: Pick<RunningTest, 'signal' | 'timeoutMs'>;
  /** The longest time for the judge, in milliseconds. @default until the test ends */
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Asks a judge. It is aborted when the test times out, so that a call that nobody waits for costs
 * nothing more. The error of vitest then also names the judge and what to set.
 *
 * @throws ReviewLoopError `timeout`, and `invalid_options` if the test would end before `timeoutMs`
 */
export async function withinTest<Value>(
  { judge, test, timeoutMs, clock = systemClock }: TestLimits,
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  checkTimeout(timeoutMs, test.timeoutMs);
  const begin = elapsedOn(clock);
  const stop = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    onAbort(stop.signal, () => reject(stop.signal.reason));
  });
  const { signal } = test;
  const forget = onAbort(signal, () => {
    explain(signal?.reason, judge, elapsedOn(clock) - begin);
    stop.abort(signal?.reason);
  });
  const cancel =
    timeoutMs === undefined
      ? () => {}
      : clock.after(timeoutMs, () => stop.abort(tooLate(judge, timeoutMs)));
  try {
    signal?.throwIfAborted();
    return await Promise.race([ask(stop.signal), ended]);
  } finally {
    cancel();
    forget();
  }
}

/** Refuses a timeout that the test never reaches, before a model is paid. */
function checkTimeout(timeoutMs: number | undefined, testMs: number | undefined): void {
  checkPositive('timeoutMs', timeoutMs);
  if (timeoutMs === undefined || testMs === undefined || timeoutMs < testMs) return;
  throw new ReviewLoopError(
    'invalid_options',
    `the test ends after ${testMs} ms, before \`timeoutMs\` of ${timeoutMs} ms: ${howToRaise}`,
    { value: timeoutMs },
  );
}

const howToRaise =
  'pass a timeout to the test, as in test(name, run, 120_000), ' +
  'or set testTimeout in the configuration of vitest';

function tooLate(judge: string, timeoutMs: number): ReviewLoopError {
  return new ReviewLoopError(
    'timeout',
    `${judge} did not answer within ${timeoutMs} ms (timeoutMs)`,
  );
}

/**
 * Says in the error of vitest who was still asked. vitest aborts with the very error that the test
 * then fails with.
 */
function explain(reason: unknown, judge: string, afterMs: number): void {
  if (!(reason instanceof Error && reason.message.includes('timed out'))) return;
  reason.message +=
    `\n${judge} had not answered after ${afterMs} ms and was aborted. ` +
    `A judge that asks a model takes longer: ${howToRaise}.`;
}
