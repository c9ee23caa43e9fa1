import { describe, expect, it } from 'vitest';
import { exitCodeOfError } from '../../../src/cli-kit/exit-codes.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { errorCodes } from '../../../src/errors.js';

/** The codes for which a command exits with 2. Scripts rely on them: a change is a breaking one. */
const exitWith2 = [
  'already_exists',
  'answer_invalid',
  'answer_not_allowed',
  'checklist_exists',
  'config_invalid',
  'config_unreadable',
  'decision_stale',
  'decision_unknown',
  'diff_too_large',
  'duplicate_id',
  'event_unreadable',
  'file_too_large',
  'file_unreadable',
  'gate_files_changed',
  'gate_message_too_large',
  'gate_no_runner',
  'gate_nothing_to_review',
  'gate_output_invalid',
  'gate_session_verified',
  'gate_state_invalid',
  'gate_step_unknown',
  'invalid_options',
  'labels_invalid',
  'no_artifacts',
  'no_reviewers',
  'not_a_repository',
  'nothing_to_review',
  'output_invalid',
  'no_version',
  'override_stale',
  'path_outside',
  'person_required',
  'peer_missing',
  'provider_missing',
  'provider_not_ready',
  'reason_required',
  'request_answered',
  'request_expired',
  'request_stale',
  'request_unknown',
  'requirements_invalid',
  'revision_unknown',
  'run_elsewhere',
  'run_unknown',
  'task_cycle',
  'store_differs',
  'task_empty',
  'task_invalid',
  'task_missing',
  'task_unknown',
  'tasks_invalid',
  'too_many_files',
  'usage',
];

describe('the exit code of an error', () => {
  it.each(Object.values(errorCodes))('follows from the kind of $code, which is $kind', (entry) => {
    const expected = exitWith2.includes(entry.code) ? 2 : entry.code === 'cancelled' ? 130 : 1;
    expect(exitCodeOfError(new ReviewLoopError(entry, 'it happened'))).toBe(expected);
  });

  it('is listed for no code that is unknown', () => {
    expect(exitWith2.filter((code) => !(code in errorCodes))).toEqual([]);
  });

  it('is 1 for an error of somebody else', () => {
    expect(exitCodeOfError(new Error('x'))).toBe(1);
    expect(exitCodeOfError('x')).toBe(1);
  });
});
