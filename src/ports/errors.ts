import { errorTable } from '../core/error-table.js';

/** The errors of stored records, in any store, and of limits. */
export const portErrors = /* @__PURE__ */ errorTable({
  journal_corrupt: {
    kind: 'environment',
    fix: 'Nothing was changed. Restore the file from a backup, or move it away to start the run again.',
  },
  journal_newer: {
    kind: 'environment',
    fix: 'Nothing was changed. Install a version of reviewloop that knows this journal.',
  },
  verdict_corrupt: {
    kind: 'environment',
    fix:
      'Nothing is lost: the engine asks the reviewer again and replaces the entry. ' +
      'If the error returns, check the disk and other programs that write to the cache.',
  },
  verdict_newer: {
    kind: 'environment',
    fix: 'Nothing is lost: the engine asks the reviewer again. Give each version of reviewloop its own cache.',
  },
  verdict_unavailable: {
    kind: 'environment',
    fix:
      'Check that the verdict cache is readable and writable (space, permissions). ' +
      'Until then the engine asks every reviewer.',
  },
  workspace_busy: {
    kind: 'environment',
    fix:
      'Wait for the other run, or give each run its own workspace: ' +
      'two runs in one workspace would undo the changes of each other.',
  },
  workspace_failed: {
    kind: 'environment',
    fix:
      'Read the cause. The best version is in `outcome.output`, ' +
      'but the workspace may contain something else. Run again with the same runId.',
  },
  spending_limit_reached: {
    kind: 'environment',
    fix: 'Wait until the day ends, or raise the limit of money a day.',
  },
  audit_unwritable: {
    kind: 'environment',
    fix: 'Nothing was decided. Check that the audit log is writable, then answer again.',
  },
});
