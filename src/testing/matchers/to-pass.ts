import { reviewScore } from '../../adapters/scorers/review-score.js';
import type { Pipeline } from '../../blocks/pipeline/pipeline-options.js';
import { onAbort } from '../../core/abort-signal.js';
import type { CriterionResult } from '../../core/criterion.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { isOpen, type Severity } from '../../core/gap.js';
import { checkKeys, checkPositive, invalid } from '../../core/options.js';
import { oneLine } from '../../node/terminal/sanitise.js';
import { type Clock, elapsedOn, systemClock } from '../../ports/clock.js';
import { type Checked, type CheckOptions, check } from '../check.js';
import {
  annotationOf,
  gapLines,
  gapsOfResult,
  type RunningTest,
  roundedScore,
  runningTest,
  type TestRecord,
} from './test-record.js';

export interface ToPassOptions<Task> extends CheckOptions<Task> {
  /**
   * The longest time for the judge, in milliseconds. It must be less than the timeout of the test.
   *
   * @default until the test ends
   */
  readonly timeoutMs?: number | undefined;
}

export interface PassedBy<Output, Task> extends Checked<Output, Task> {
  /** The severity of findings that name none. @default 'major' */
  readonly severity?: Severity | undefined;
  /** Results of judges that ask a model annotate the test. @default 'code' */
  readonly tier?: string | undefined;
}

export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

const optionNames = ['task', 'context', 'timeoutMs'];

export async function toPass<Output, Task>(
  this: Parameters<typeof runningTest>[0],
  output: Output,
  judge: PassedBy<Output, Task> | ReviewingPipeline<Task, Output>,
  options: ToPassOptions<Task> = {},
): Promise<Matched> {
  const criterion: PassedBy<Output, Task> = isPipeline(judge) ? approvalOf(judge) : judge;
  checkKeys('toPass', options, optionNames);
  const test = runningTest(this);
  const { timeoutMs, context, ...rest } = options;
  const { id, tier = 'code', severity = 'major' } = criterion;
  let result: CriterionResult;
  try {
    result = await withinTest({ judge: id, test, timeoutMs }, (ended) =>
      check(criterion, output, {
        ...rest,
        context: { ...context, signal: bothOf(ended, context?.signal) },
      }),
    );
  } catch (error) {
    test.record({ matcher: 'toPass', id, verdict: 'errored', text: messageOf(error), gaps: [] });
    throw error;
  }
  const gaps = gapsOfResult(result, severity);
  const score = roundedScore(result.score);
  const entry = { matcher: 'toPass', id, ...verdictOf(result), score, gaps } as const;
  test.record(entry);
  if (tier !== 'code') await test.annotate(annotationOf(id, entry));
  refuseNoVerdict(id, result);
  const details = result.details === '' ? '' : `: ${oneLine(result.details)}`;
  const should = result.passed ? 'not to pass' : 'to pass';
  const first = `expected the output ${should} ${id}; it scored ${score}${details}`;
  return { pass: result.passed, message: () => [first, ...gapLines(gaps)].join('\n') };
}

function bothOf(ended: AbortSignal, own: AbortSignal | undefined): AbortSignal {
  return own === undefined ? ended : AbortSignal.any([ended, own]);
}

function verdictOf({
  passed,
  skipped,
  undecided,
  details,
}: CriterionResult): Pick<TestRecord, 'verdict' | 'text'> {
  if (skipped !== undefined) return { verdict: 'skipped', text: skipped };
  if (undecided !== undefined) return { verdict: 'undecided', text: undecided };
  return { verdict: passed ? 'pass' : 'fail', text: details };
}

/** A check that was skipped, or could not tell, has neither passed nor failed. */
function refuseNoVerdict(id: string, { skipped, undecided }: CriterionResult): void {
  if (skipped !== undefined) throw new Error(`${id} was skipped: ${oneLine(skipped)}`);
  if (undecided !== undefined) throw new Error(`${id} could not tell: ${oneLine(undecided)}`);
}

export interface TestLimits {
  readonly judge: string;
  readonly test: Pick<RunningTest, 'signal' | 'timeoutMs'>;
  /** The longest time for the judge, in milliseconds. @default until the test ends */
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Aborts when the test times out, so that a call that nobody waits for costs nothing more. The
 * error of vitest then also names the judge and what to set.
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

export type ReviewingPipeline<Task, Output> = Pick<Pipeline<Task, Output>, 'review' | 'run'>;

/** Passes if the pipeline approves, and is undecided if nobody could tell. */
function approvalOf<Task, Output>(
  pipeline: ReviewingPipeline<Task, Output>,
): Checked<Output, Task> & { readonly tier: 'model' } {
  return {
    id: 'pipeline',
    tier: 'model',
    validate: async (output, task, { signal }) => {
      const review = await pipeline.review(task, output, signal && { signal });
      const { metadata } = reviewScore(review, { name: 'pipeline', score: 'approval' });
      const { approved, overall, rationale } = metadata;
      if (approved === null)
        return { passed: false, score: 0, details: rationale, undecided: rationale };
      return {
        passed: approved,
        score: approved ? overall || 1 : (overall ?? 0),
        details: review.decision.reason,
        findings: review.gaps.filter(isOpen).map(({ description, severity, ...gap }) => ({
          description,
          severity,
          file: gap.location?.file ?? gap.affectedArtifact,
          line: gap.location?.line,
          suggestedFix: gap.suggestedFix,
        })),
      };
    },
  };
}

function isPipeline<Task, Output>(
  judge: Checked<Output, Task> | ReviewingPipeline<Task, Output>,
): judge is ReviewingPipeline<Task, Output> {
  const given: unknown = judge;
  const isObject = typeof given === 'object' && given !== null;
  if (!isObject || !('validate' in given || 'run' in given))
    throw invalid('toPass', 'a criterion or a pipeline', given);
  return 'run' in judge && typeof judge.run === 'function' && !('validate' in judge);
}
