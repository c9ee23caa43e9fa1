import { errorTable } from '../error-table.js';

/** The errors of diffs. */
export const diffErrors = /* @__PURE__ */ errorTable({
  diff_unreadable: {
    kind: 'environment',
    fix: 'Pass a complete diff in the format of git, or of `diff -u`.',
  },
  diff_too_large: { kind: 'input', fix: 'Diff a shorter range, or fewer paths.' },
});
