import { errorTable } from '../../core/error-table.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';

/** The errors of the command line. */
export const cliErrors = /* @__PURE__ */ errorTable({
  task_missing: { kind: 'usage', fix: 'Pass --task FILE with the text of the task.' },
  run_elsewhere: {
    kind: 'usage',
    fix:
      'Answer, continue or report it in the program whose pipeline started it. ' +
      '`reviewloop runs ID` shows what is recorded of it.',
  },
  person_required: {
    kind: 'usage',
    fix:
      'Tell the person. They run it in a terminal of their own; docs/cli.md says how scripts of ' +
      'people do.',
  },
  task_empty: { kind: 'input', fix: 'Write the request into the task file.' },
  provider_not_ready: {
    kind: 'usage',
    fix: 'Remove the cause and run the command again: nothing was begun.',
  },
  process_ended: {
    kind: 'environment',
    fix:
      'Nothing was approved. Something that the configuration loads ends the process, or throws an ' +
      'error that nobody catches.',
  },
  file_changed: { kind: 'environment', fix: 'Run again: the review was of the earlier contents.' },
  store_differs: {
    kind: 'usage',
    fix: 'Copy into an empty database, or first copy the one whose log is longer.',
  },
  already_exists: { kind: 'usage', fix: 'Edit the existing file, or remove it first.' },
});

export function usageError(what: string, value?: unknown): ReviewLoopError {
  return new ReviewLoopError(nodeErrors.usage, what, { value });
}
