import type { AgentEvent, GateReply, HookOutput } from '../agent-event.js';

/** The members of an event, as JSON gives them. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns a text of an event; `undefined` if it is missing or empty. */
export function textIn(given: Members, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the texts of a list in an event. */
export function textsIn(given: Members, name: string): string[] {
  const value = given[name];
  return Array.isArray(value)
    ? value.filter((one: unknown): one is string => typeof one === 'string' && one !== '')
    : [];
}

/** Returns whether a session goes on with the work before it, as after `/clear` or as a fork. */
export function continuesIn(given: Members): boolean {
  return (textIn(given, 'source') ?? 'startup') !== 'startup';
}

/** Returns the number of entries of a list in an event that a function accepts. */
export function countIn(given: Members, name: string, counts: (entry: Members) => boolean): number {
  const value = given[name];
  if (!Array.isArray(value)) return 0;
  return value.filter(
    (entry: unknown) => typeof entry === 'object' && entry !== null && counts({ ...entry }),
  ).length;
}

/** What the events of Claude Code and of Codex are, by their names; they share them. */
export const sharedKinds: Readonly<Record<string, AgentEvent['kind']>> = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  Stop: 'stop',
};

/** The members that the gate needs of most agents. */
export const sharedNeeds = 'session_id, cwd, hook_event_name';

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
