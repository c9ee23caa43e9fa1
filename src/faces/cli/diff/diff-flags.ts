import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

export const diffFlags = [
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
