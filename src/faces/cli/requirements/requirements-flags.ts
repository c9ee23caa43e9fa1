import { outputFlags } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { byteCount } from '../../cli-kit/flags/values.js';

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
  flag({
    name: 'maxFileSize',
    arg: '<bytes>',
    parse: byteCount,
    default: 2_000_000,
    help: 'refuse a larger task, in bytes; the number may end in k or m',
  }),
  ...outputFlags,
] as const;
