import { isReviewError } from '../core/errors.js';

/** The exit codes of the command line, for its help. */
export const exitCodes = {
  0: 'approved or accepted',
  1: 'failed, or an audit log is not intact',
  2: 'usage error',
  50: 'not approved: any other outcome',
  51: 'rejected by a person',
  52: 'timed out',
  53: 'suspended, waiting for an answer',
  130: 'cancelled',
} as const;

const usageErrors = new Set([
  'usage',
  'already_exists',
  'task_missing',
  'tasks_invalid',
  'task_unknown',
  'task_cycle',
  'not_a_repository',
  'task_empty',
  'no_artifacts',
  'file_unreadable',
  'file_too_large',
  'too_many_files',
  'gate_output_invalid',
  'gate_step_unknown',
  'gate_state_invalid',
  'gate_no_runner',
  'path_outside',
  'request_unknown',
  'request_expired',
  'request_stale',
  'override_stale',
  'answer_not_allowed',
  'answer_invalid',
  'reason_required',
  'config_invalid',
  'config_unreadable',
  'peer_missing',
  'run_unknown',
  'invalid_options',
  'no_reviewers',
  'duplicate_id',
  'provider_missing',
  'revision_unknown',
  'diff_too_large',
  'task_invalid',
  'output_invalid',
  'labels_invalid',
]);

/** The exit code of an error that ended a command. */
export function exitCodeOfError(error: unknown): number {
  if (isReviewError(error) && error.code === 'cancelled') return 130;
  return isReviewError(error) && usageErrors.has(error.code) ? 2 : 1;
}
