import type { AgentEvent, AgentFormat, AgentName, GateReply, HookOutput } from './agent-event.js';

type Members = Readonly<Record<string, unknown>>;

function textIn(given: Members, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function textsIn(given: Members, name: string): string[] {
  const value = given[name];
  return Array.isArray(value)
    ? value.filter((one: unknown): one is string => typeof one === 'string' && one !== '')
    : [];
}

type Kinds = Readonly<Record<string, AgentEvent['kind']>>;

interface Named {
  readonly session: string | undefined;
  readonly folder?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Reads what the events of all agents have, and then what one tells in its own way. `named` returns
 * the texts that it needs, if they have other names than most.
 */
function reads(
  agent: AgentName,
  kinds: Kinds,
  own: (given: Members, name: string) => Partial<AgentEvent> = () => ({}),
  named: (given: Members) => Named = (given) => ({ session: textIn(given, 'session_id') }),
): AgentFormat['read'] {
  return (given) => {
    const {
      session,
      folder = textIn(given, 'cwd'),
      name = textIn(given, 'hook_event_name'),
    } = named(given);
    if (session === undefined || folder === undefined || name === undefined) return undefined;
    return {
      ...{ agent, name, session, folder, kind: kinds[name] ?? 'other' },
      // happens after `/clear`, or as a fork
      continues: !['startup', 'new'].includes(textIn(given, 'source') ?? 'new'),
      turn: undefined,
      continued: given['stop_hook_active'] === true,
      prompt: textIn(given, 'prompt'),
      unfinished: undefined,
      ...own(given, name),
    };
  };
}

function countIn(given: Members, name: string, counts: (entry: Members) => boolean): number {
  const value = given[name];
  if (!Array.isArray(value)) return 0;
  return value.filter(
    (entry: unknown) => typeof entry === 'object' && entry !== null && counts({ ...entry }),
  ).length;
}

/** Claude Code and Codex share them. */
const sharedKinds: Kinds = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  Stop: 'stop',
};

const sharedNeeds = 'session_id, cwd, hook_event_name';

type BlockWord = 'block' | 'deny';

/**
 * Returns the answer of agents that read `decision`, `reason` and `systemMessage`. It contains no
 * other key unless `more` has some for a block, because Codex then drops the whole answer.
 */
function blockDecision(
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

/** Only the exit code 2 keeps a task of the agent's own list open. */
const taskCompleted = 'TaskCompleted';

const claudeCode: AgentFormat = {
  name: 'claude-code',
  needs: sharedNeeds,
  sends: ({ hook_event_name: name }) => typeof name === 'string' && /^[A-Z]/.test(name),
  read: reads('claude-code', { ...sharedKinds, [taskCompleted]: 'stop' }, (given, name) => ({
    // the end of a task is within a turn, and shares its blocks
    ...(name === taskCompleted ? { task: taskOf(given) } : { turn: textIn(given, 'prompt_id') }),
    unfinished: unfinished(given),
  })),
  write: (reply, event) => {
    const { kind, reason = '', advice = '' } = reply;
    if (event.name === taskCompleted && kind === 'block' && reason.trim() !== '')
      return { stdout: '{}\n', stderr: `${reason}\n`, exitCode: 2 };
    const answer = blockDecision(reply, event, 'block');
    if (event.name !== 'Stop' || kind === 'block' || advice === '') return answer;
    const hookSpecificOutput = { hookEventName: 'Stop', additionalContext: advice };
    const told: unknown = JSON.parse(answer.stdout);
    return {
      ...answer,
      stdout: `${JSON.stringify(Object.assign({ hookSpecificOutput }, told))}\n`,
    };
  },
};

function taskOf(given: Members): string | undefined {
  const parts = ['task_subject', 'task_description'].map((name) => textIn(given, name));
  return parts.filter((part) => part !== undefined).join('\n\n') || undefined;
}

/** Every other state still works. */
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

/** Codex accepts no key that its schema does not list. */
const codex: AgentFormat = {
  name: 'codex',
  needs: sharedNeeds,
  sends: (given) =>
    typeof given['turn_id'] === 'string' ||
    // only Codex names its model when a session begins without a turn
    (given['hook_event_name'] === 'SessionStart' &&
      typeof given['permission_mode'] === 'string' &&
      typeof given['model'] === 'string'),
  read: reads('codex', sharedKinds, (given) => ({
    // a prompt of a subagent belongs to the turn of its parent
    ...(textIn(given, 'agent_id') !== undefined && { kind: 'other' as const }),
    turn: textIn(given, 'turn_id'),
    unfinished: given['permission_mode'] === 'plan' ? 'the agent only plans' : undefined,
  })),
  write: (reply, event) =>
    blockDecision(
      { ...reply, ...(reply.reason !== undefined && { reason: withoutMarkup(reply.reason) }) },
      event,
      'block',
    ),
};

/**
 * Codex hands it to its model as XML, in which characters of markup are escaped. Fences become `---
 * ... ---`; a tag loses its brackets.
 */
function withoutMarkup(reason: string): string {
  return reason
    .replace(/^<<<(.*)>>>$/gm, '--- $1 ---')
    .replace(/<(\/?[a-z!][^<>]*?)\/?>/gi, '`$1`')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('&', '＆');
}

const kindsOfCursor: Kinds = {
  sessionStart: 'start',
  beforeSubmitPrompt: 'prompt',
  stop: 'stop',
};

/** Cursor has no field for a message to the person. */
const cursor: AgentFormat = {
  name: 'cursor',
  needs: 'conversation_id, workspace_roots, hook_event_name',
  sends: (given) => typeof given['cursor_version'] === 'string',
  read: reads(
    'cursor',
    kindsOfCursor,
    (given) => {
      const [, ...folders] = textsIn(given, 'workspace_roots');
      const loops = given['loop_count'];
      return {
        folders,
        continues: undefined,
        turn: loops === 0 ? textIn(given, 'generation_id') : undefined,
        continued: typeof loops === 'number' && loops > 0,
        unfinished: unfinishedOfCursor(given),
      };
    },
    (given) => ({
      session: textIn(given, 'conversation_id') ?? textIn(given, 'session_id'),
      folder: textsIn(given, 'workspace_roots')[0],
    }),
  ),
  write,
};

function unfinishedOfCursor(given: Members): string | undefined {
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

const kindsOfGemini: Kinds = {
  SessionStart: 'start',
  BeforeAgent: 'prompt',
  AfterAgent: 'stop',
};

const gemini: AgentFormat = {
  name: 'gemini',
  needs: sharedNeeds,
  sends: ({ hook_event_name: name, timestamp, transcript_path: transcript }) =>
    name === 'AfterAgent' ||
    name === 'BeforeAgent' ||
    // Copilot begins a session without a transcript
    (name === 'SessionStart' && typeof timestamp === 'string' && transcript !== undefined),
  read: reads('gemini', kindsOfGemini, (given) => ({ turn: textIn(given, 'prompt') })),
  write: (reply, event) => blockDecision(reply, event, 'deny'),
};

/** Its events mix two ways to write names. */
const vsCode: AgentFormat = {
  name: 'vs-code',
  needs: 'sessionId, cwd, hookEventName',
  sends: (given) => textIn(given, 'hookEventName') !== undefined,
  read: reads('vs-code', sharedKinds, undefined, (given) => ({
    session: textIn(given, 'sessionId') ?? textIn(given, 'session_id'),
    name: textIn(given, 'hookEventName'),
  })),
  // its documentation names one place of the decision, its source reads another one
  write: (reply, event) => {
    const { reason = '' } = reply;
    const both = { hookEventName: 'Stop', decision: 'block', reason };
    return blockDecision(reply, event, 'block', { hookSpecificOutput: both });
  },
};

const kindsOfCopilot: Kinds = {
  ...sharedKinds,
  sessionStart: 'start',
  userPromptSubmitted: 'prompt',
  agentStop: 'stop',
};

/**
 * It is for the command line and for the cloud. An event has the names of Claude Code where its
 * hook is written so; else it has no name, and its members show what it is.
 */
const copilot: AgentFormat = {
  name: 'copilot',
  needs: 'session_id or sessionId, cwd',
  sends: (given) =>
    textIn(given, 'stop_reason') !== undefined ||
    textIn(given, 'stopReason') !== undefined ||
    (given['timestamp'] !== undefined && given['prompt_id'] === undefined),
  read: reads(
    'copilot',
    kindsOfCopilot,
    (given) => ({ unfinished: unfinishedOfCopilot(given) }),
    (given) => ({
      session: textIn(given, 'session_id') ?? textIn(given, 'sessionId'),
      name: textIn(given, 'hook_event_name') ?? nameOf(given),
    }),
  ),
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

function unfinishedOfCopilot(given: Members): string | undefined {
  const why = textIn(given, 'stop_reason') ?? textIn(given, 'stopReason') ?? 'end_turn';
  return why === 'end_turn' ? undefined : `the turn ended with ${why}`;
}

/** An event is compared in this order; Claude Code has no mark of its own. */
const formats: readonly AgentFormat[] = [cursor, vsCode, gemini, codex, copilot, claudeCode];

/** Returns the formats of an agent. */
export function formatOf(name: AgentName): AgentFormat {
  return formats.find((format) => format.name === name) ?? claudeCode;
}

/** What the standard input of a hook contained. */
export type ReadEvent =
  | { readonly format: AgentFormat; readonly event: AgentEvent }
  /** Why it is not an event, in words. */
  | { readonly format: AgentFormat; readonly event?: undefined; readonly why: string };

/**
 * Reads the event that an agent wrote to the standard input. Without a name, the event shows which
 * agent sent it. A byte order mark is allowed.
 *
 * @param name - The agent, for answers to what is not an event. @default Claude Code
 */
export function readEvent(text: string, name?: AgentName): ReadEvent {
  const named = name === undefined ? undefined : formatOf(name);
  const given = objectIn(text);
  if (typeof given === 'string') return { format: named ?? claudeCode, why: given };
  const seen = formats.find((format) => format.sends(given));
  if (seen === undefined)
    return {
      format: named ?? claudeCode,
      why: 'the event is of no known agent; its hook_event_name shows which',
    };
  const format = named !== undefined && areAlike(named, seen) ? named : seen;
  const event = format.read(given);
  return event === undefined
    ? { format, why: `an event of ${format.name} needs the texts ${format.needs}` }
    : { format, event };
}

/**
 * They have the same events and answers. Otherwise the event decides: Cursor also starts the hooks
 * of Claude Code.
 */
function areAlike(one: AgentFormat, other: AgentFormat): boolean {
  const twins: readonly AgentFormat[] = [claudeCode, codex];
  if (one === copilot && other === claudeCode) return true;
  return one === other || (twins.includes(one) && twins.includes(other));
}

function objectIn(text: string): Readonly<Record<string, unknown>> | string {
  const plain = text.replace(/^\ufeff/, '').trim();
  if (plain === '') return 'the standard input is empty';
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    return 'the standard input is not JSON';
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : 'the standard input is not a JSON object';
}
