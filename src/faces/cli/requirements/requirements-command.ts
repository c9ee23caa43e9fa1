import { defineCommand } from '../../cli-kit/flags/command.js';
import { requirementsFlags } from './requirements-flags.js';

const help = `
"reviewloop review" judges exactly the list of TASK.requirements.yml if that file is beside TASK.md,
or of --requirements FILE. Without a file it reads the task each time.

Examples:
  reviewloop requirements TASK.md
  reviewloop requirements TASK.md --write
  reviewloop requirements TASK.md --write --force
  reviewloop requirements --task-text 'The page must load within 2 s' --json`;

export const requirementsCommand = defineCommand({
  name: 'requirements',
  summary: 'list the requirements of a task; --write puts them into a file to edit',
  description:
    'Lists what `reviewloop review` reads from a task: id, strength, line, text, and who decides it.',
  flags: requirementsFlags,
  help,
  run: async ({ io }, settings) =>
    (await import('./list-requirements.js')).listRequirements(io, settings),
});
