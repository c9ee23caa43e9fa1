import { defineCommand } from '../../cli-kit/flags/command.js';
import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

const diffFlags = [
  operand({
    name: 'id',
    arg: '<id>',
    required: true,
    help: 'the run; any unique prefix of its id',
  }),
  operand({
    name: 'reviews',
    arg: '[reviews]',
    many: true,
    help: 'the numbers of two reviews (default: the first and the best)',
  }),
  flag({ name: 'pager', help: 'use the pager', off: 'never use the pager' }),
  ...outputFlags,
  storeFlag,
] as const;

const help = `
Without numbers it compares the version of the first review with the best one.

Examples:
  reviewloop diff 0192f3c8
  reviewloop diff 0192f3c8 2 3`;

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'show what changed between two versions of a run',
  description: 'Shows what changed between two versions of a run, and which gaps that closed.',
  flags: diffFlags,
  help,
  run: async (...given) => (await import('./show-diff.js')).showDiff(...given),
});
