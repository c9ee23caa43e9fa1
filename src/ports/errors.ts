import { errorTable } from '../core/error-table.js';

/** The errors of stored records, in any store. */
export const portErrors = /* @__PURE__ */ errorTable({
  journal_corrupt: {
    kind: 'environment',
    fix: 'Nothing was changed. Restore the file from a backup, or move it away to start the run again.',
  },
  journal_newer: {
    kind: 'environment',
    fix: 'Nothing was changed. Install a version of reviewloop that knows this journal.',
  },
});
