import type { AgentFormat } from '../agent-event.js';
import { blockDecision, continuesIn, sharedKinds, textIn } from '../agent-formats.js';

/** Its events mix two ways to write names. */
export const vsCode: AgentFormat = {
  name: 'vs-code',
  needs: 'sessionId, cwd, hookEventName',
  sends: (given) => textIn(given, 'hookEventName') !== undefined,
  read: (given) => {
    const session = textIn(given, 'sessionId') ?? textIn(given, 'session_id');
    const folder = textIn(given, 'cwd');
    const name = textIn(given, 'hookEventName');
    if (session === undefined || folder === undefined || name === undefined) return undefined;
    return {
      agent: 'vs-code',
      name,
      kind: sharedKinds[name] ?? 'other',
      session,
      folder,
      continues: continuesIn({ source: given['source'] === 'new' ? undefined : given['source'] }),
      turn: undefined,
      continued: given['stop_hook_active'] === true,
      prompt: textIn(given, 'prompt'),
      unfinished: undefined,
    };
  },
  // its documentation names one place of the decision, its source reads another one
  write: (reply, event) => {
    const { reason = '' } = reply;
    const both = { hookEventName: 'Stop', decision: 'block', reason };
    return blockDecision(reply, event, 'block', { hookSpecificOutput: both });
  },
};
