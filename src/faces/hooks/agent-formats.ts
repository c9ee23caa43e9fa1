import type { AgentEvent, AgentFormat, GateReply, HookOutput } from './agent-event.js';

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

/** Happens after `/clear`, or as a fork. */
function continuesIn(given: Members): boolean {
  return (textIn(given, 'source') ?? 'startup') !== 'startup';
}

function countIn(given: Members, name: string, counts: (entry: Members) => boolean): number {
  const value = given[name];
  if (!Array.isArray(value)) return 0;
  return value.filter(
    (entry: unknown) => typeof entry === 'object' && entry !== null && counts({ ...entry }),
  ).length;
}

/** Claude Code and Codex share them. */
const sharedKinds: Readonly<Record<string, AgentEvent['kind']>> = {
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
      kind: name === taskCompleted ? 'stop' : (sharedKinds[name] ?? 'other'),
      session,
      folder,
      continues: continuesIn(given),
      // the end of a task is within a turn, and shares its blocks
      turn: name === taskCompleted ? undefined : textIn(given, 'prompt_id'),
      task: name === taskCompleted ? taskOf(given) : undefined,
      continued: given['stop_hook_active'] === true,
      prompt: textIn(given, 'prompt'),
      unfinished: unfinished(given),
    };
  },
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

/** Only the exit code 2 keeps a task of the agent's own list open. */
const taskCompleted = 'TaskCompleted';

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

const kindsOfCursor: Readonly<Record<string, AgentEvent['kind']>> = {
  sessionStart: 'start',
  beforeSubmitPrompt: 'prompt',
  stop: 'stop',
};

/** Cursor has no field for a message to the person. */
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
      kind: kindsOfCursor[name] ?? 'other',
      session,
      folder,
      folders,
      turn: loops === 0 ? textIn(given, 'generation_id') : undefined,
      continued: typeof loops === 'number' && loops > 0,
      prompt: textIn(given, 'prompt'),
      unfinished: unfinishedOfCursor(given),
    };
  },
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

const kindsOfGemini: Readonly<Record<string, AgentEvent['kind']>> = {
  SessionStart: 'start',
  BeforeAgent: 'prompt',
  AfterAgent: 'stop',
};

export const gemini: AgentFormat = {
  name: 'gemini',
  needs: sharedNeeds,
  sends: ({ hook_event_name: name, timestamp, transcript_path: transcript }) =>
    name === 'AfterAgent' ||
    name === 'BeforeAgent' ||
    // Copilot begins a session without a transcript
    (name === 'SessionStart' && typeof timestamp === 'string' && transcript !== undefined),
  read: (given) => {
    const session = textIn(given, 'session_id');
    const folder = textIn(given, 'cwd');
    const name = textIn(given, 'hook_event_name');
    if (session === undefined || folder === undefined || name === undefined) return undefined;
    const prompt = textIn(given, 'prompt');
    return {
      agent: 'gemini',
      name,
      kind: kindsOfGemini[name] ?? 'other',
      session,
      folder,
      continues: continuesIn(given),
      turn: prompt,
      continued: given['stop_hook_active'] === true,
      prompt,
      unfinished: undefined,
    };
  },
  write: (reply, event) => blockDecision(reply, event, 'deny'),
};

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
      unfinished: unfinishedOfCopilot(given),
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

function unfinishedOfCopilot(given: Members): string | undefined {
  const why = textIn(given, 'stop_reason') ?? textIn(given, 'stopReason') ?? 'end_turn';
  return why === 'end_turn' ? undefined : `the turn ended with ${why}`;
}
