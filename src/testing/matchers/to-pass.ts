import type { CriterionResult } from '../../core/criterion.js';
import { messageOf } from '../../core/errors.js';
import type { Severity } from '../../core/gap.js';
import { checkKeys } from '../../core/options.js';
import { oneLine } from '../../terminal/sanitise.js';
import { type Checked, type CheckOptions, check } from '../check.js';
import { approvalOf, isPipeline, type ReviewingPipeline } from './approval-of.js';
import { annotationOf, gapLines, gapsOfResult, roundedScore } from './record-lines.js';
import { runningTest } from './running-test.js';
import type { TestRecord } from './test-record.js';
import { withinTest } from './within-test.js';

export interface ToPassOptions<Task> extends CheckOptions<Task> {
  /**
   * The longest time for the judge, in milliseconds. It must be less than the timeout of the test.
   *
   * @default until the test ends
   */
  readonly timeoutMs?: number | undefined;
}

/** A criterion as `toPass` takes it. */
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

/** The matcher `toPass`. */
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
