import type { AgentFormat } from '../agent-event.js';
import { blockDecision, continuesIn, sharedKinds, sharedNeeds, textIn } from './members.js';

/** The formats of Codex, which accepts no key that its schema does not list. */
export const codex: AgentFormat = {
  name: 'codex',
  needs: sharedNeeds,
  sends: (given) =>
    typeof given['turn_id'] === 'string' ||
    // only Codex names its model when a session begins without a turn
    (given['hook_event_name'] === 'SessionStart' &&
      typeof given['permission_mode'] === 'string' &&
      typeof given['model'] === 'string'),
  read: (given) => {
    const session = textIn(given, 'session_id');
    const folder = textIn(given, 'cwd');
    const name = textIn(given, 'hook_event_name');
    if (session === undefined || folder === undefined || name === undefined) return undefined;
    return {
      agent: 'codex',
      name,
      // a prompt of a subagent belongs to the turn of its parent
      kind: textIn(given, 'agent_id') === undefined ? (sharedKinds[name] ?? 'other') : 'other',
      session,
      folder,
      continues: continuesIn(given),
      turn: textIn(given, 'turn_id'),
      continued: given['stop_hook_active'] === true,
      prompt: textIn(given, 'prompt'),
      unfinished: given['permission_mode'] === 'plan' ? 'the agent only plans' : undefined,
    };
  },
  write: (reply, event) =>
    blockDecision(
      { ...reply, ...(reply.reason !== undefined && { reason: withoutMarkup(reply.reason) }) },
      event,
      'block',
    ),
};

/**
 * Returns a reason without characters of markup: Codex hands it to its model as XML, in which they
 * are escaped. Fences become `--- ... ---`; a tag loses its brackets.
 */
function withoutMarkup(reason: string): string {
  return reason
    .replace(/^<<<(.*)>>>$/gm, '--- $1 ---')
    .replace(/<(\/?[a-z!][^<>]*?)\/?>/gi, '`$1`')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('&', '＆');
}
