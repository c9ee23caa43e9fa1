import type { AgentName } from '@/faces/hooks/agent-event.js';
import { runCli } from '../cli/harness.js';
import { type EventFacts, events, type HookSays, readAnswer } from './events.js';

/** Who sends an event, and members that it has beside the usual ones. */
export interface Sender {
  readonly agent?: AgentName;
  readonly more?: object;
}

/** Sends an event to the hook, and reads the answer as the agent does. */
export async function send(
  kind: 'start' | 'prompt' | 'stop',
  facts: EventFacts,
  { agent = 'claude-code', more = {} }: Sender = {},
): Promise<HookSays> {
  const stdin = JSON.stringify({ ...events[agent][kind](facts), ...more });
  return readAnswer(agent, await runCli(facts.cwd, ['hook', agent], { stdin }));
}
