import type { AgentFormat } from '../agent-event.js';
import {
  blockDecision,
  continuesIn,
  countIn,
  type Members,
  sharedKinds,
  sharedNeeds,
  textIn,
} from './members.js';

/** The formats of Claude Code: `SessionStart`, `UserPromptSubmit`, `Stop` and `TaskCompleted`. */
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

/** The event of a task of the agent's own list, which only the exit code 2 keeps open. */
const taskCompleted = 'TaskCompleted';

function taskOf(given: Members): string | undefined {
  const parts = ['task_subject', 'task_description'].map((name) => textIn(given, name));
  return parts.filter((part) => part !== undefined).join('\n\n') || undefined;
}

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
