import type { AgentEvent, GateReply, HookOutput } from '../agent-event.js';

/** The word with which an agent is kept from ending its turn. */
export type BlockWord = 'block' | 'deny';

/**
 * Returns the answer of agents that read `decision`, `reason` and `systemMessage`. It contains no
 * other key unless `more` has some for a block, because Codex then drops the whole answer.
 */
export function blockDecision(
  reply: GateReply,
  { kind }: Pick<AgentEvent, 'kind'>,
  word: BlockWord,
  more: object = {},
): HookOutput {
  const { reason = '', message = '' } = reply;
  // only the end of a turn can be blocked
  const blocks = kind === 'stop' && reply.kind === 'block' && reason.trim() !== '';
  const answer = {
    ...(blocks && { decision: word, reason, ...more }),
    ...(message !== '' && { systemMessage: message }),
  };
  return { stdout: `${JSON.stringify(answer)}\n`, stderr: '' };
}
