import { errorTable } from '../../core/error-table.js';

/** The errors of agents of other frameworks. */
export const frameworkErrors = /* @__PURE__ */ errorTable({
  agent_incomplete: {
    kind: 'bug',
    fix:
      'Let the agent end with a result: raise its limit of steps or of output tokens, give each ' +
      'tool an `execute`, and let a graph ask by `interrupt`, not by a breakpoint.',
  },
  agent_state_lost: {
    kind: 'environment',
    fix:
      'Start a new run. Keep the state of the agent in a checkpointer or a storage that every ' +
      'process shares and that outlives the wait, and change no agent that waits.',
  },
  agent_turns: {
    kind: 'bug',
    fix: 'Deny a tool that the agent calls again and again, or let a person decide about it.',
  },
});
