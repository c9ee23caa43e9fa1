import type { AgentEvent, AgentFormat } from '../agent-event.js';
import { continuesIn, type Members, sharedKinds, textIn } from '../agent-formats.js';

const kinds: Readonly<Record<string, AgentEvent['kind']>> = {
  ...sharedKinds,
  sessionStart: 'start',
  userPromptSubmitted: 'prompt',
  agentStop: 'stop',
};

/**
 * It is for the command line and for the cloud. An event has the names of Claude Code where its
 * hook is written so; else it has no name, and its members show what it is.
 */
export const copilot: AgentFormat = {
  name: 'copilot',
  needs: 'session_id or sessionId, cwd',
  sends: (given) =>
    textIn(given, 'stop_reason') !== undefined ||
    textIn(given, 'stopReason') !== undefined ||
    (given['timestamp'] !== undefined && given['prompt_id'] === undefined),
  read: (given) => {
    const session = textIn(given, 'session_id') ?? textIn(given, 'sessionId');
    const folder = textIn(given, 'cwd');
    if (session === undefined || folder === undefined) return undefined;
    const name = textIn(given, 'hook_event_name') ?? nameOf(given);
    return {
      agent: 'copilot',
      name,
      kind: kinds[name] ?? 'other',
      session,
      folder,
      continues: continuesIn({ source: given['source'] === 'new' ? undefined : given['source'] }),
      turn: undefined,
      continued: given['stop_hook_active'] === true,
      prompt: textIn(given, 'prompt'),
      unfinished: unfinished(given),
    };
  },
  // two objects count as no answer, so a message to the person is one too: a line of progress
  write: (reply, { kind }) => {
    const { reason = '', message = '' } = reply;
    const blocks = kind === 'stop' && reply.kind === 'block' && reason.trim() !== '';
    const told = message === '' ? {} : { type: 'progress', message };
    return {
      stdout: `${JSON.stringify(blocks ? { decision: 'block', reason } : told)}\n`,
      stderr: blocks && message !== '' ? `${message}\n` : '',
    };
  },
};

function nameOf(given: Members): string {
  if (given['stopReason'] !== undefined) return 'agentStop';
  if (given['prompt'] !== undefined) return 'userPromptSubmitted';
  return given['source'] === undefined ? 'unknown' : 'sessionStart';
}

function unfinished(given: Members): string | undefined {
  const why = textIn(given, 'stop_reason') ?? textIn(given, 'stopReason') ?? 'end_turn';
  return why === 'end_turn' ? undefined : `the turn ended with ${why}`;
}
