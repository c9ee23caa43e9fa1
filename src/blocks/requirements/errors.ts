import { errorTable } from '../../core/error-table.js';

/** The errors of tasks and requirements files. */
export const requirementErrors = /* @__PURE__ */ errorTable({
  requirements_invalid: {
    kind: 'input',
    fix: 'Correct the requirements file at that line, or delete it and run `reviewloop requirements TASK --write`.',
  },
  task_too_long: {
    kind: 'input',
    fix: 'Split the task, or list its requirements in a requirements file.',
  },
});
