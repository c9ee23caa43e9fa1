import { defineCommand } from '../../cli-kit/flags/command.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { seconds } from '../../cli-kit/flags/values.js';

const hookFlags = [
  operand({
    name: 'action',
    arg: '[agent]',
    help: 'claude-code, codex, gemini, cursor, copilot or vs-code; or on, off, status (default: the event shows it)',
  }),
  flag({
    name: 'timeout',
    arg: '<seconds>',
    parse: seconds,
    help: 'time limit of the hook (default: hook.timeoutSeconds, else 45)',
  }),
  flag({
    name: 'onFailure',
    arg: '<how>',
    choices: ['tell', 'block'],
    help: 'if a judge fails: tell the person, or also block once (default: hook.onFailure)',
  }),
] as const;

const help = `
Reads the event of an agent from the standard input, and answers in the format of that agent. It
reviews what changed since the session began. It blocks the end of a turn while the agent can close
gaps: at most 5 times a turn, never twice for the same gaps. Everything else goes to the person.

The exit code is 0, because agents read other codes in different ways. \`reviewloop init claude-code\`
writes the configuration of an agent. \`reviewloop hook off\` switches the gate of this project off.

Examples:
  reviewloop hook status
  reviewloop hook off`;

export const hookCommand = defineCommand({
  name: 'hook',
  summary: 'gate for coding agents: reviews what a session changed before it ends',
  description: 'Answers a hook of a coding agent, or switches the gate of this project on or off.',
  flags: hookFlags,
  help,
  person: ({ action }) => (action === 'off' ? 'you switch the gate off' : undefined),
  run: async (...given) => (await import('./run-hook.js')).runHook(...given),
});
