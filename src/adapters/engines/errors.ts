import { errorTable } from '../../core/error-table.js';

/** The errors of runs that an engine drives. */
export const enginesErrors = /* @__PURE__ */ errorTable({
  pipeline_unknown: {
    kind: 'bug',
    fix: 'Add the pipeline of the run to `pipelines`, under the name that the message shows.',
  },
  workspace_local: {
    kind: 'bug',
    fix:
      'Leave `workspace` out, or run the pipeline on one machine: ' +
      'another machine does not have the files of a run.',
  },
  wake_failed: {
    kind: 'environment',
    fix:
      'Check that the engine is reachable. Nothing is lost: what was recorded stays, and the sweep ' +
      'of a worker wakes the run.',
  },
});
