import { errorTable } from '../../core/error-table.js';

/** The errors of the quality gate. */
export const gateErrors = /* @__PURE__ */ errorTable({
  gate_no_runner: {
    kind: 'usage',
    fix: 'Pass `cli` or `provider` to the QualityGate, or use `buildReviewInstructionsFile` for self-review.',
  },
  gate_step_unknown: { kind: 'usage', fix: 'Name a step of the job.' },
  gate_output_invalid: {
    kind: 'input',
    fix:
      'Declare the output in the step, and pass what its type requires: one path for ' +
      '`file`, a list of paths for `files`, a text for `string`.',
  },
  gate_state_invalid: {
    kind: 'input',
    fix: 'Nothing was changed. Start the job under another session id, or restore the state from a copy.',
  },
  gate_session_verified: {
    kind: 'usage',
    fix: 'Continue the session with `verified: true` (`--verified`), or start another one.',
  },
  gate_files_changed: {
    kind: 'input',
    fix: 'Let nothing write to the files while they are reviewed, then review again.',
  },
  gate_files_unseen: {
    kind: 'judge',
    fix:
      'Raise `maxInlineFiles` (`--max-inline-files`), or use a reviewer that reads files ' +
      '(`cli`, `--cli`).',
  },
  gate_nothing_to_review: {
    kind: 'input',
    fix: 'Hand in outputs that have content.',
  },
  gate_review_failed: {
    kind: 'judge',
    fix: 'Read the cause: the reviewer returned no verdict. Call again: each call asks the reviewer.',
  },
  gate_result_invalid: {
    kind: 'judge',
    fix:
      'Answer with an object: `passed` true or false, `feedback` a text, ' +
      '`criteria_results` a list of { criterion, passed, feedback }.',
  },
  gate_message_too_large: {
    kind: 'input',
    fix: 'Hand in files in place of long texts, and start the server again.',
  },
  gate_attempts_used: {
    kind: 'judge',
    fix:
      'Start another session, raise `maxAttempts`, or let a person accept the step with a ' +
      'reason, which is recorded.',
  },
  gate_verdict_refused: {
    kind: 'judge',
    fix:
      'Read the instructions of the step again, review its current outputs, and submit ' +
      'the verdict with the hash and the token of those instructions.',
  },
});
