import type { OutcomeStatus } from '../../core/outcome.js';
import { oneLine, sanitise } from '../../terminal/sanitise.js';
import type { FinishedStep } from '../finished-step.js';
import type { QualityGateError } from '../gate-error.js';
import { defaultMaxAttempts } from '../gate-session-options.js';
import type { FailedReview } from '../gate-state.js';
import {
  againLine,
  type GateCall,
  nextStepLine,
  overrideLine,
  retryLine,
} from './next-gate-call.js';

/** Returns the lines about a reviewed step. */
export function gateLines(answer: FinishedStep, call: GateCall): string[] {
  if (answer.status !== 'needs_work') return openLines(answer, call);
  const { feedback, instructions_path: path, error, failed_reviews, attempts } = answer;
  const step = oneLine(call.settings.step);
  if (path === null)
    return [
      ...failedLines(failed_reviews ?? [], feedback ?? ''),
      ...factLines(answer),
      `NOT APPROVED (${error === null ? 'exhausted' : statusOf[error]}): step ${step}`,
      `why: ${oneLine(feedback ?? '')}${error === null ? ` (attempt ${attempts} of ${defaultMaxAttempts})` : ''}`,
      `next: ${error === null ? `${againLine(call)} # after you changed the outputs` : retryLine(call, error)}`,
    ];
  return [
    sanitise(feedback ?? ''),
    '',
    ...factLines(answer),
    `SUSPENDED: step ${step} is not reviewed yet`,
    `why: the instructions for the reviewer are in ${oneLine(path)}`,
    `next: ${overrideLine(call)}`,
  ];
}

/**
 * Returns the lines about a gate that stays closed.
 *
 * @param failed - The reviews that the last outputs did not pass.
 */
export function closedLines(
  error: QualityGateError,
  call: GateCall,
  failed: readonly FailedReview[],
): string[] {
  const isUsedUp = error.code === 'gate_attempts_used';
  return [
    ...failedLines(failed, error.what),
    `NOT APPROVED (${isUsedUp ? 'exhausted' : statusOf[causeIn(error)]}): step ${oneLine(call.settings.step)}`,
    `why: ${oneLine(error.what)} [${error.code}]`,
    ...(isUsedUp
      ? [
          `next: ${overrideLine(call)}`,
          `  or: ${againLine(call, { session: `${call.settings.session}-2` })} # begins again`,
        ]
      : [`next: ${retryLine(call, causeIn(error))}`]),
  ];
}

function causeIn({ value }: QualityGateError): StepError {
  return isStepError(value) ? value : 'review_failed';
}

function isStepError(value: unknown): value is StepError {
  return typeof value === 'string' && Object.hasOwn(statusOf, value);
}

type StepError = NonNullable<FinishedStep['error']>;

/** The status of a review without a verdict. */
const statusOf = {
  timed_out: 'timed_out',
  review_failed: 'inconclusive',
  reviewer_missing: 'inconclusive',
  files_changed: 'inconclusive',
  files_unseen: 'inconclusive',
  nothing_to_review: 'inconclusive',
} as const satisfies Record<StepError, OutcomeStatus>;

function openLines(answer: FinishedStep, call: GateCall): string[] {
  const { outcome, feedback, begin_step: next } = answer;
  const what = outcome === 'approved' ? 'APPROVED' : 'ACCEPTED';
  const why = feedback === null ? [] : [`why: ${oneLine(feedback)}`];
  return [
    ...factLines(answer),
    `${what}: step ${oneLine(call.settings.step)}`,
    ...why,
    `next: ${next === null ? 'nothing, the job is done' : nextStepLine(call, next.step_id)}`,
  ];
}

/** Returns the lines about criteria without an answer, and steps that are open again. */
function factLines({ unanswered, stale, error }: FinishedStep): string[] {
  return [
    ...(error === null && unanswered.length > 0
      ? [`not answered: ${oneLine(unanswered.join(', '))}`]
      : []),
    ...(stale.length > 0
      ? [`open again, because their outputs changed: ${oneLine(stale.join(', '))}`]
      : []),
  ];
}

/** Returns the lines about failed reviews. Those that say the same share their lines. */
function failedLines(failed: readonly FailedReview[], why: string): string[] {
  const names = new Map<string, string[]>();
  for (const { review_run_each, target_file, feedback, criteria_results } of failed) {
    const wrong = criteria_results.filter(({ passed }) => !passed);
    const details = wrong.map(
      ({ criterion, feedback: text }) => `\n  ${oneLine(`${criterion}: ${text ?? 'not met'}`)}`,
    );
    // the reason of the end is told once, after its status
    const isWhy = feedback === why && wrong.length === 0;
    const said = isWhy ? ' failed' : [` ${oneLine(feedback)}`, ...details].join('');
    names.set(said, [...(names.get(said) ?? []), oneLine(target_file ?? review_run_each)]);
  }
  return [...names].flatMap(([said, of]) => `${of.join(', ')}:${said}`.split('\n'));
}
