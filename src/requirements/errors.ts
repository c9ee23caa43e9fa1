import { errorTable } from '../core/error-table.js';

/** The errors of requirements files. */
export const requirementErrors = /* @__PURE__ */ errorTable({
  requirements_invalid: {
    kind: 'input',
    fix: 'Correct the requirements file at that line, or delete it and run `reviewloop requirements TASK --write`.',
  },
});
