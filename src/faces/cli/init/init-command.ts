import { defineCommand } from '../../cli-kit/flags/command.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

const initFlags = [
  operand({
    name: 'target',
    arg: '[target]',
    help: 'claude-code, codex, gemini, cursor, copilot, vs-code, github, gitlab or pre-commit (default: a configuration)',
  }),
  flag({ name: 'dryRun', help: 'show what would change, and write nothing' }),
  flag({ name: 'remove', help: 'remove what init wrote for the target' }),
  flag({ name: 'user', help: 'for an agent: all projects of the user, not only this one' }),
] as const;

const help = `
With a target, it adds what is missing to the configuration of the agent or the service, and changes
nothing else in it. It shows the difference first. A second call changes nothing.

Examples:
  reviewloop init
  reviewloop init && reviewloop review site --task TASK.md
  reviewloop init claude-code --dry-run
  reviewloop init claude-code --remove`;

export const initCommand = defineCommand({
  name: 'init',
  summary: 'write a configuration, or set up the gate for a coding agent or CI',
  description:
    'Writes a commented reviewloop.config.mjs into this folder. It never overwrites a configuration. ' +
    'With a target, it sets up the gate for a coding agent, or reviews in CI.',
  flags: initFlags,
  help,
  person: ({ remove, dryRun }) => (remove && !dryRun ? 'you remove the gate' : undefined),
  run: async (...given) => (await import('./run-init.js')).runInit(...given),
});
