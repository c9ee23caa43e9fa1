import type { AgentEvent, AgentFormat, GateReply, HookOutput } from '../agent-event.js';
import { type Members, textIn, textsIn } from './members.js';

const kinds: Readonly<Record<string, AgentEvent['kind']>> = {
  sessionStart: 'start',
  beforeSubmitPrompt: 'prompt',
  stop: 'stop',
};

/** The formats of Cursor, which has no field for a message to the person. */
export const cursor: AgentFormat = {
  name: 'cursor',
  needs: 'conversation_id, workspace_roots, hook_event_name',
  sends: (given) => typeof given['cursor_version'] === 'string',
  read: (given) => {
    const session = textIn(given, 'conversation_id') ?? textIn(given, 'session_id');
    const [folder = textIn(given, 'cwd'), ...folders] = textsIn(given, 'workspace_roots');
    const name = textIn(given, 'hook_event_name');
    if (session === undefined || folder === undefined || name === undefined) return undefined;
    const loops = given['loop_count'];
    return {
      agent: 'cursor',
      name,
      kind: kinds[name] ?? 'other',
      session,
      folder,
      folders,
      turn: loops === 0 ? textIn(given, 'generation_id') : undefined,
      continued: typeof loops === 'number' && loops > 0,
      prompt: textIn(given, 'prompt'),
      unfinished: unfinished(given),
    };
  },
  write,
};

function unfinished(given: Members): string | undefined {
  const status = textIn(given, 'status');
  return status === undefined || status === 'completed' ? undefined : `the turn was ${status}`;
}

/** An empty answer counts as a failure, so every answer is an object. */
function write(reply: GateReply, { kind }: Pick<AgentEvent, 'kind'>): HookOutput {
  const { reason = '', message = '' } = reply;
  const blocks = reply.kind === 'block' && reason.trim() !== '';
  const answer = blocks
    ? { followup_message: reason }
    : kind === 'prompt'
      ? { continue: true }
      : {};
  return {
    stdout: `${JSON.stringify(answer)}\n`,
    stderr: message === '' ? '' : `${message}\n`,
  };
}
