import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentName } from '../../hooks/agent-event.js';
import type { JsonPath } from './edit-json.js';

/** An entry of a list in the configuration of an agent. */
export interface HookEntry {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** The configuration of an agent: its file, and the hooks of the gate. */
export interface AgentFiles {
  /** The file below the project. */
  readonly file: string;
  readonly userFile: () => string;
  /** What a new file contains beside the hooks. */
  readonly base: Readonly<Record<string, unknown>>;
  readonly entries: (command: string) => readonly HookEntry[];
  /** What the person has to do or know afterwards. @default nothing */
  readonly next?: string;
  /** The agent whose hooks of a project it runs too. @default none */
  readonly sharesWith?: AgentName;
}

/** How long agents wait, in seconds. The gate answers earlier: see hook.timeoutSeconds. */
const wait = { begin: 60, stop: 600 };

function nested(command: string, events: readonly string[], unit: number): HookEntry[] {
  return events.map((event, index) => {
    const seconds = index === events.length - 1 ? wait.stop : wait.begin;
    return {
      path: ['hooks', event],
      value: { hooks: [{ type: 'command', command, timeout: seconds * unit }] },
    };
  });
}

/** Only the exit code 2 keeps a task open, so it passes; every other failure says NO VERDICT. */
function taskHook(command: string): object {
  const at = command.lastIndexOf(' || ');
  const own = `${command.slice(0, at)} || { [ $? = 2 ] && exit 2; ${command.slice(at + 4)}; }`;
  return { hooks: [{ type: 'command', command: own, timeout: wait.stop }] };
}

const claudeEvents = ['SessionStart', 'UserPromptSubmit', 'Stop'];

/** One file for Copilot, in the command line and in the cloud, and for VS Code. */
const githubHooks: AgentFiles = {
  file: '.github/hooks/reviewloop.json',
  userFile: () => join(homedir(), '.copilot', 'hooks', 'reviewloop.json'),
  base: { version: 1 },
  entries: (line) =>
    claudeEvents.map((event) => {
      const seconds = event === 'Stop' ? wait.stop : wait.begin;
      // Copilot shows lines of progress, VS Code a message
      const command = line.replace(
        /"systemMessage":("[^"]*")/,
        '"type":"progress","message":$1,$&',
      );
      const value = { type: 'command', command, timeoutSec: seconds, timeout: seconds };
      return { path: ['hooks', event], value };
    }),
  sharesWith: 'claude-code',
};

/** The configurations of the agents. */
export const agentFiles: Readonly<Record<AgentName, AgentFiles>> = {
  'claude-code': {
    file: '.claude/settings.json',
    userFile: () =>
      join(process.env['CLAUDE_CONFIG_DIR'] ?? join(homedir(), '.claude'), 'settings.json'),
    base: {},
    entries: (command) => [
      ...nested(command, claudeEvents, 1),
      { path: ['hooks', 'TaskCompleted'], value: taskHook(command) },
    ],
    next: 'nothing more: Copilot, VS Code and Cursor run these hooks of a project too',
  },
  codex: {
    file: '.codex/hooks.json',
    userFile: () => join(process.env['CODEX_HOME'] ?? join(homedir(), '.codex'), 'hooks.json'),
    base: {},
    entries: (command) => nested(command, claudeEvents, 1),
    next: 'start codex in this project and trust the hooks with /hooks: without it, codex runs none',
  },
  gemini: {
    file: '.gemini/settings.json',
    userFile: () => join(homedir(), '.gemini', 'settings.json'),
    base: {},
    // milliseconds
    entries: (command) => nested(command, ['SessionStart', 'BeforeAgent', 'AfterAgent'], 1000),
  },
  cursor: {
    file: '.cursor/hooks.json',
    userFile: () => join(homedir(), '.cursor', 'hooks.json'),
    base: { version: 1 },
    entries: (command) => [
      { path: ['hooks', 'sessionStart'], value: { command, timeout: wait.begin } },
      { path: ['hooks', 'beforeSubmitPrompt'], value: { command, timeout: wait.begin } },
      { path: ['hooks', 'stop'], value: { command, timeout: wait.stop, loop_limit: 10 } },
    ],
  },
  copilot: githubHooks,
  'vs-code': githubHooks,
};
