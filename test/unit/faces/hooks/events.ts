import { expect } from 'vitest';
import type { AgentName } from '@/faces/hooks/agent-event.js';

/** Facts of an event that a scenario sets. */
export interface EventFacts {
  readonly cwd: string;
  readonly session?: string;
  readonly turn?: number;
  /** How many blocks the turn had. */
  readonly blocks?: number;
  readonly prompt?: string;
  /** Whether background work runs, the turn was aborted, or the agent plans: whichever it can say. */
  readonly unfinished?: boolean;
}

type Event = Readonly<Record<string, unknown>>;

/** Events as each agent sends them, with every member that its types name. */
export const events: Readonly<
  Record<AgentName, Readonly<Record<'start' | 'prompt' | 'stop', (facts: EventFacts) => Event>>>
> = {
  'claude-code': {
    start: (facts) => ({ ...claude(facts), hook_event_name: 'SessionStart', source: 'startup' }),
    prompt: (facts) => ({ ...claude(facts), ...submitted(facts) }),
    stop: (facts) => ({
      ...claude(facts),
      hook_event_name: 'Stop',
      stop_hook_active: (facts.blocks ?? 0) > 0,
      last_assistant_message: 'Done.',
      background_tasks: facts.unfinished ? [{ id: 'b1', type: 'shell', status: 'running' }] : [],
      session_crons: [],
    }),
  },
  codex: {
    start: ({ cwd, session = 's' }) => ({
      cwd,
      session_id: session,
      hook_event_name: 'SessionStart',
      model: 'gpt-5',
      permission_mode: 'default',
      source: 'startup',
      transcript_path: null,
    }),
    prompt: (facts) => ({ ...codex(facts), ...submitted(facts) }),
    stop: (facts) => ({
      ...codex(facts),
      hook_event_name: 'Stop',
      stop_hook_active: (facts.blocks ?? 0) > 0,
      last_assistant_message: null,
    }),
  },
  gemini: {
    start: (facts) => ({ ...gemini(facts), hook_event_name: 'SessionStart', source: 'startup' }),
    prompt: (facts) => ({
      ...gemini(facts),
      hook_event_name: 'BeforeAgent',
      prompt: facts.prompt ?? `Build it ${facts.turn ?? 1}`,
    }),
    stop: (facts) => ({
      ...gemini(facts),
      hook_event_name: 'AfterAgent',
      prompt: facts.prompt ?? `Build it ${facts.turn ?? 1}`,
      prompt_response: 'Done.',
      stop_hook_active: (facts.blocks ?? 0) > 0,
    }),
  },
  cursor: {
    start: (facts) => ({ ...cursor(facts), hook_event_name: 'sessionStart' }),
    prompt: (facts) => ({
      ...cursor(facts),
      hook_event_name: 'beforeSubmitPrompt',
      prompt: facts.prompt ?? 'Build it',
      attachments: [],
    }),
    stop: (facts) => ({
      ...cursor(facts),
      hook_event_name: 'stop',
      status: facts.unfinished ? 'aborted' : 'completed',
      loop_count: facts.blocks ?? 0,
    }),
  },
  copilot: {
    start: (facts) => ({
      ...copilot(facts),
      hook_event_name: 'SessionStart',
      source: 'new',
      initial_prompt: 'Build it',
    }),
    prompt: (facts) => ({ ...copilot(facts), ...submitted(facts) }),
    stop: (facts) => ({
      ...copilot(facts),
      hook_event_name: 'Stop',
      transcript_path: '/home/user/.copilot/s.jsonl',
      stop_reason: facts.unfinished ? 'max_tokens' : 'end_turn',
      stop_hook_active: (facts.blocks ?? 0) > 0,
    }),
  },
  'vs-code': {
    start: (facts) => ({ ...vsCode(facts), hookEventName: 'SessionStart', source: 'new' }),
    prompt: (facts) => ({
      ...vsCode(facts),
      hookEventName: 'UserPromptSubmit',
      prompt: facts.prompt ?? 'Build it',
    }),
    stop: (facts) => ({
      ...vsCode(facts),
      hookEventName: 'Stop',
      stop_hook_active: (facts.blocks ?? 0) > 0,
    }),
  },
};

function submitted({ prompt = 'Build it' }: EventFacts): Event {
  return { hook_event_name: 'UserPromptSubmit', prompt };
}

function copilot({ cwd, session = 's' }: EventFacts): Event {
  return { session_id: session, timestamp: '2026-11-29T17:35:39.034Z', cwd };
}

function vsCode({ cwd, session = 's' }: EventFacts): Event {
  return {
    sessionId: session,
    timestamp: '2026-11-22T01:00:00.000Z',
    cwd,
    transcript_path: '/home/user/.config/Code/s.jsonl',
  };
}

function claude({ cwd, session = 's', turn = 1 }: EventFacts): Event {
  return {
    session_id: session,
    transcript_path: '/home/user/.claude/projects/shop/s.jsonl',
    cwd,
    prompt_id: `p${turn}`,
    permission_mode: 'default',
  };
}

function codex({ cwd, session = 's', turn = 1, unfinished }: EventFacts): Event {
  return {
    cwd,
    session_id: session,
    turn_id: `t${turn}`,
    transcript_path: null,
    model: 'gpt-5',
    permission_mode: unfinished ? 'plan' : 'default',
  };
}

function gemini({ cwd, session = 's' }: EventFacts): Event {
  return {
    session_id: session,
    transcript_path: '/home/user/.gemini/tmp/session.json',
    cwd,
    timestamp: '2026-11-22T01:00:00.000Z',
  };
}

function cursor({ cwd, session = 's', turn = 1 }: EventFacts): Event {
  return {
    conversation_id: session,
    generation_id: `g${turn}`,
    model: 'default',
    session_id: session,
    cursor_version: '3.17.19',
    workspace_roots: [cwd],
    user_email: null,
    transcript_path: null,
  };
}

/** What a hook said, in one form for all agents. */
export interface HookSays {
  readonly blocks: boolean;
  readonly reason: string;
  /** What the person is told: a field of the answer, or the standard error. */
  readonly message: string;
}

/** Reads the answer of a hook as its agent does; throws where the agent would drop it. */
export function readAnswer(agent: AgentName, { out, err }: { out: string; err: string }): HookSays {
  const answer = JSON.parse(out) as Record<string, unknown>;
  if (agent === 'cursor')
    return {
      blocks: typeof answer['followup_message'] === 'string',
      reason: String(answer['followup_message'] ?? ''),
      message: err,
    };
  if (agent === 'copilot') {
    const own = answer['decision'] === 'block';
    const message = String(answer['type'] === 'progress' ? answer['message'] : err);
    return { blocks: own, reason: String(answer['reason'] ?? ''), message };
  }
  if (agent === 'vs-code' && answer['decision'] !== undefined)
    expect(answer['hookSpecificOutput']).toMatchObject({
      decision: 'block',
      hookEventName: 'Stop',
    });
  const blocks = answer['decision'] === (agent === 'gemini' ? 'deny' : 'block');
  const reason = String(answer['reason'] ?? '');
  if (blocks && reason.trim() === '') throw new Error('a block without a reason is dropped');
  return { blocks, reason, message: String(answer['systemMessage'] ?? '') };
}
