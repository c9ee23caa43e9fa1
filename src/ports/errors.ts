import { errorTable } from '../core/error-table.js';

/** The errors of stored records, whichever store contains them. */
export const portErrors = /* @__PURE__ */ errorTable({
  journal_corrupt: {
    kind: 'environment',
    fix: 'Nothing was changed. Restore the file from a copy, or move it away to start the run again.',
  },
  journal_newer: {
    kind: 'environment',
    fix: 'Nothing was changed. Install a version of reviewloop that knows this journal.',
  },
});
