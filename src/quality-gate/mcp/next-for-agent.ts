import { isReviewError, ReviewLoopError } from '../../core/errors.js';
import type { FinishedStep } from '../finished-step.js';

/** A step of a workflow. */
export interface NamedStep {
  readonly session: string;
  readonly step: string;
}

/**
 * Returns what an agent does after `finished_step`, and the way out that only a person has;
 * undefined once the gate is open.
 */
export function nextForAgent(
  { status, error, instructions_path: path }: FinishedStep,
  named: NamedStep,
): string | undefined {
  if (status !== 'needs_work') return undefined;
  return `${wayOn(error, path)} ${wayOut(named)}`;
}

/** Returns what to do about an error of a step that has no tries left, in words of this server. */
export function withWayOut(error: unknown, named: NamedStep): unknown {
  if (!isReviewError(error) || !(error instanceof ReviewLoopError)) return error;
  if (error.code !== 'gate_attempts_used' && error.code !== 'gate_review_failed') return error;
  const { code, kind, value } = error;
  const first =
    code === 'gate_attempts_used'
      ? 'Stop here, and tell the person.'
      : 'Call finished_step again once the reviewer can answer.';
  const fix = `${first} ${wayOut(named)}`;
  return new ReviewLoopError({ code, kind, fix }, error.what, { cause: error, value });
}

/** Only a person may take the way out, so the agent hears who waits for whom, and no command. */
function wayOut({ session, step }: NamedStep): string {
  return (
    `A person can accept the step as it is: tell them that step ${step} of session ${session} ` +
    'waits for them.'
  );
}

function wayOn(error: FinishedStep['error'], path: string | null): string {
  switch (error) {
    case 'timed_out':
      return (
        'The reviewer did not answer in time. Call finished_step again, or ask for a server with ' +
        'a higher --review-timeout.'
      );
    case 'files_unseen':
      return (
        'The reviewer cannot read the files. Hand in fewer, or ask for a server with a higher ' +
        '--max-inline-files, or with --cli, which reads files itself.'
      );
    case 'reviewer_missing':
      return 'The reviewer is not installed. Tell the person: the feedback says what is missing.';
    case 'nothing_to_review':
      return 'The outputs have no content. Fill them, and call finished_step again.';
    case 'review_failed':
    case 'files_changed':
      return 'There is no verdict. Call finished_step again: each call asks the reviewer.';
    case null:
      return path === null
        ? 'Fix what the feedback names, and call finished_step again.'
        : 'Let a subagent review by the instructions, then call finished_step again.';
  }
}
