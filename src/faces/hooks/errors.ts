import { errorTable } from '../../core/error-table.js';

/** The errors of the gate of coding agents. */
export const hookErrors = /* @__PURE__ */ errorTable({
  event_unreadable: {
    kind: 'input',
    fix: 'Let a hook of an agent start the command: `reviewloop init` writes it.',
  },
  project_unknown: {
    kind: 'environment',
    fix: 'Start the agent in the folder of the project, which must exist.',
  },
  start_unknown: {
    kind: 'environment',
    fix: 'Install all hooks of the agent with `reviewloop init`, and begin a new session.',
  },
  nothing_to_review: {
    kind: 'input',
    fix: 'Check hook.exclude in the configuration, and commit inside of nested repositories.',
  },
  unseen_changes: {
    kind: 'environment',
    fix: 'Look at what the message names, then begin a new session: it starts from what is there.',
  },
  changed_during_review: {
    kind: 'environment',
    fix: 'Let commands write only files that git ignores, and end what else writes into the folder.',
  },
  hook_timeout: {
    kind: 'environment',
    fix: 'Raise hook.timeoutSeconds in the configuration, or make its commands faster.',
  },
  hook_failed: {
    kind: 'environment',
    fix: 'Run the review by hand; the log .reviewloop/hooks.jsonl names the event.',
  },
});
