import { errorTable } from '../core/error-table.js';

/** The errors of stored runs. */
export const reportErrors = /* @__PURE__ */ errorTable({
  run_interrupted: {
    kind: 'environment',
    fix: 'Judges whose verdicts are stored are not asked again.',
  },
});
