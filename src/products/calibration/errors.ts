import { errorTable } from '../../core/error-table.js';

/** The errors of calibration. */
export const calibrationErrors = /* @__PURE__ */ errorTable({
  labels_invalid: {
    kind: 'input',
    fix: 'Correct the lines that the message names: each is a JSON object with `task`, `output`, and `label` as "pass" or "fail".',
  },
});
