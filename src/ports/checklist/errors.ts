import { errorTable } from '../../core/error-table.js';

/** The errors of stored checklists. */
export const storedChecklistErrors = /* @__PURE__ */ errorTable({
  checklist_corrupt: {
    kind: 'environment',
    fix: 'Nothing was changed. Restore the state file from a copy, or move it away to decompose the phase again.',
  },
  checklist_newer: {
    kind: 'environment',
    fix: 'Nothing was changed. Install a version of reviewloop that knows this schema.',
  },
  checklist_unavailable: {
    kind: 'environment',
    fix:
      'Check that the state directory is readable and writable (space, permissions) ' +
      'and that no process keeps its lock.',
  },
});
