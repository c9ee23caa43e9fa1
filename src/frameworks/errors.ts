import { errorTable } from '../core/error-table.js';

/** The errors of agents of other frameworks. */
export const frameworkErrors = /* @__PURE__ */ errorTable({
  agent_incomplete: {
    kind: 'bug',
    fix: 'Let the agent end with a result: raise its limit of steps, or give each tool an `execute`.',
  },
  agent_turns: {
    kind: 'bug',
    fix: 'Deny a tool that the agent calls again and again, or let a person decide about it.',
  },
});
