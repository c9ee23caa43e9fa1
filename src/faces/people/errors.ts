import { errorTable } from '../../core/error-table.js';

/** The errors of reaching people. */
export const peopleErrors = /* @__PURE__ */ errorTable({
  notify_failed: {
    kind: 'environment',
    fix: 'Check the address and its response. The run stays suspended, and its question can be answered.',
  },
});
