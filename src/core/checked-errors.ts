import { errorTable } from './error-table.js';

/** The errors of foreign answers and missing packages. */
export const checkedErrors = /* @__PURE__ */ errorTable({
  peer_missing: { kind: 'usage', fix: 'Install the package that the message names.' },
  reviewer_invalid: {
    kind: 'judge',
    fix: 'Return at least one assessment { verdict, criterion, ... } per review, as the Assessment type says.',
  },
  judge_failed: {
    kind: 'judge',
    fix: 'Read the errored assessments; run again when the judge is available.',
  },
});
