import type { AgentEvent } from './agent-event.js';
import type { SessionState } from './session-state.js';

/**
 * Returns the state at an event: a new turn begins with a new prompt. A turn goes on while the agent
 * continues because of a block, whatever it calls the turn.
 */
export function beginTurn(
  state: SessionState,
  { turn, continued, kind, prompt }: Pick<AgentEvent, 'turn' | 'continued' | 'kind' | 'prompt'>,
): SessionState {
  const own = prompt !== undefined && isOwnReason(prompt);
  const begun = kind === 'prompt' ? { ...state, open: true } : state;
  const known = own || prompt === undefined ? begun : { ...begun, prompt };
  const isNew =
    !continued &&
    !own &&
    (turn === undefined ? kind === 'prompt' : turn !== '' && turn !== state.turn);
  if (!isNew) return known;
  return { ...known, turn: turn ?? '', blocks: 0, blockedGaps: [], failureBlocked: false };
}

/** How each reason for an agent begins. Some agents treat a reason as the next prompt. */
export const reasonStart = 'reviewloop: NOT APPROVED';

function isOwnReason(prompt: string): boolean {
  return prompt.trimStart().startsWith(reasonStart);
}
