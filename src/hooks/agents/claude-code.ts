import type { AgentFormat } from '../agent-event.js';
import { blockDecision } from './block-decision.js';
import { continuesIn, countIn, type Members, sharedKinds, sharedNeeds, textIn } from './members.js';

/** The formats of Claude Code: `SessionStart`, `UserPromptSubmit` and `Stop`. */
export const claudeCode: AgentFormat = {
  name: 'claude-code',
  needs: sharedNeeds,
  sends: ({ hook_event_name: name }) => typeof name === 'string' && /^[A-Z]/.test(name),
  read: (given) => {
    const session = textIn(given, 'session_id');
    const folder = textIn(given, 'cwd');
    const name = textIn(given, 'hook_event_name');
    if (session === undefined || folder === undefined || name === undefined) return undefined;
    return {
      agent: 'claude-code',
      name,
      kind: sharedKinds[name] ?? 'other',
      session,
      folder,
      continues: continuesIn(given),
      turn: textIn(given, 'prompt_id'),
      continued: given['stop_hook_active'] === true,
      prompt: textIn(given, 'prompt'),
      unfinished: unfinished(given),
    };
  },
  write: (reply, event) => blockDecision(reply, event, 'block'),
};

/** Words for a task that has ended; every other state still works. */
const ended = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled', 'error', 'done']);

function unfinished(given: Members): string | undefined {
  if (given['permission_mode'] === 'plan') return 'the agent only plans';
  const running = countIn(
    given,
    'background_tasks',
    ({ status }) => !(typeof status === 'string' && ended.has(status)),
  );
  return running === 0 ? undefined : `background tasks still run: ${running}`;
}
