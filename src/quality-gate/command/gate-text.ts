import { quoted } from '../../cli-kit/show/quoted.js';
import type { ReviewError } from '../../core/errors.js';
import type { OutcomeStatus } from '../../core/outcome.js';
import { oneLine, sanitise } from '../../terminal/sanitise.js';
import type { FinishedStep } from '../finished-step.js';

/** The job, the step and the mode of a call. */
export interface GateCall {
  readonly job: string;
  readonly step: string;
  readonly mode: 'external' | 'self';
}

/** Returns the lines about a reviewed step. */
export function gateLines(answer: FinishedStep, call: GateCall): string[] {
  if (answer.status !== 'needs_work') return openLines(answer, call);
  const { feedback, instructions_path: path, error } = answer;
  const command = commandOf(call, call.step);
  const step = oneLine(call.step);
  if (path === null)
    return [
      ...failedLines(answer),
      `NOT APPROVED (${error === null ? 'exhausted' : statusOf[error]}): step ${step}`,
      `why: ${oneLine(feedback ?? '')}`,
      `next: ${command}`,
    ];
  return [
    sanitise(feedback ?? ''),
    '',
    `SUSPENDED: step ${step} is not reviewed yet`,
    `why: the instructions for the reviewer are in ${oneLine(path)}`,
    `next: ${command} --override-reason "..."`,
  ];
}

/** Returns the lines about a gate that stays closed. */
export function closedLines(error: ReviewError, { step }: Pick<GateCall, 'step'>): string[] {
  const status = error.code === 'gate_attempts_used' ? 'exhausted' : 'inconclusive';
  return [
    `NOT APPROVED (${status}): step ${oneLine(step)}`,
    `why: ${oneLine(error.message)} [${error.code}]`,
    'next: accept the step with --override-reason "...", or start again with another --session',
  ];
}

/** The status of a review without a verdict. */
const statusOf = {
  timed_out: 'timed_out',
  review_failed: 'inconclusive',
  files_changed: 'inconclusive',
} as const satisfies Record<NonNullable<FinishedStep['error']>, OutcomeStatus>;

function openLines(
  { outcome, feedback, begin_step: next }: FinishedStep,
  call: GateCall,
): string[] {
  const what = outcome === 'approved' ? 'APPROVED' : 'ACCEPTED';
  const why = feedback === null ? [] : [`why: ${oneLine(feedback)}`];
  return [
    `${what}: step ${oneLine(call.step)}`,
    ...why,
    `next: ${next === null ? 'nothing, the job is done' : commandOf(call, next.step_id)}`,
  ];
}

function commandOf({ job, mode }: GateCall, step: string): string {
  return `reviewloop gate --job ${quoted(job)} --step ${quoted(step)}${mode === 'self' ? ' --mode self' : ''}`;
}

function failedLines({ failed_reviews: failed }: FinishedStep): string[] {
  return (failed ?? []).flatMap(({ review_run_each, target_file, feedback, criteria_results }) => [
    oneLine(`${target_file ?? review_run_each}: ${feedback}`),
    ...criteria_results
      .filter(({ passed }) => !passed)
      .map(({ criterion, feedback: why }) => `  ${oneLine(`${criterion}: ${why ?? 'not met'}`)}`),
  ]);
}
