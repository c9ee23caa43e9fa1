import { maxFileSizeFlag, outputFlags } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

export const requirementsFlags = [
  operand({
    name: 'task',
    arg: '[task]',
    help: 'the file with the task, or - for the standard input',
  }),
  flag({ name: 'taskText', arg: '<text>', help: 'the task itself' }),
  flag({
    name: 'write',
    arg: '[file]',
    help: 'write the list into a file to edit and commit (default: TASK.requirements.yml)',
  }),
  flag({ name: 'force', help: 'with --write: change a file that exists' }),
  maxFileSizeFlag(2_000_000, 'a larger task'),
  ...outputFlags,
] as const;
