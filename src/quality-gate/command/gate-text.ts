import { quoted } from '../../cli-kit/show/next-command.js';
import { oneLine, sanitise } from '../../terminal/sanitise.js';
import type { FinishedStep } from '../finished-step.js';

/** The command that was run. */
export interface GateCall {
  readonly job: string;
  readonly step: string;
  readonly mode: 'external' | 'self';
}

/** How a step ended, for people. */
export function gateLines(answer: FinishedStep, settings: GateCall): string[] {
  if (answer.status !== 'needs_work') return throughLines(answer, settings);
  const { feedback, instructions_path: path, error } = answer;
  const command = commandOf(settings, settings.step);
  const step = oneLine(settings.step);
  if (path === null)
    return [
      ...failedLines(answer),
      `NOT APPROVED (${error ?? 'needs_work'}): step ${step}`,
      `why: ${oneLine(feedback ?? '')}`,
      `next: ${command}`,
    ];
  return [
    sanitise(feedback ?? ''),
    '',
    `NOT REVIEWED YET: step ${step}`,
    `why: the instructions for the reviewer are in ${oneLine(path)}`,
    `next: ${command} --override-reason "..."`,
  ];
}

function throughLines(
  { outcome, feedback, begin_step: next }: FinishedStep,
  settings: GateCall,
): string[] {
  const what = outcome === 'approved' ? 'APPROVED' : 'ACCEPTED';
  const why = feedback === null ? [] : [`why: ${oneLine(feedback)}`];
  return [
    `${what}: step ${oneLine(settings.step)}`,
    ...why,
    `next: ${next === null ? 'nothing, the job is done' : commandOf(settings, next.step_id)}`,
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
