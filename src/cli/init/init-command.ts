import { defineCommand } from '../../cli-kit/flags/command.js';

const help = `
Examples:
  reviewloop init
  reviewloop init && reviewloop review site --task TASK.md`;

/** `reviewloop init`: writes a first configuration. */
export const initCommand = defineCommand({
  name: 'init',
  summary: 'write a commented reviewloop.config.mjs',
  description:
    'Writes a commented reviewloop.config.mjs into this folder. It never overwrites a configuration.',
  flags: [],
  help,
  run: async ({ io }) => {
    const { writeConfig } = await import('./write-config.js');
    return writeConfig(io);
  },
});
