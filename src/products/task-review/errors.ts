import { errorTable } from '../../core/error-table.js';

/** The errors of task lists and of the review of tasks. */
export const taskErrors = /* @__PURE__ */ errorTable({
  tasks_invalid: {
    kind: 'input',
    fix: 'Correct the task list at the line that the message names.',
  },
  task_cycle: {
    kind: 'input',
    fix: 'Remove one of the dependencies that the message names: none of these tasks can start.',
  },
  task_unknown: { kind: 'usage', fix: 'Name a task of the list.' },
  review_not_run: {
    kind: 'judge',
    fix: 'Run again when the reviewer answers, or ask a person to decide: unreviewed code is never approved.',
  },
  review_broken: {
    kind: 'judge',
    fix:
      'Read the message, fix the reviewer and run again: a review that fails or ' +
      'contradicts itself approves nothing.',
  },
});
