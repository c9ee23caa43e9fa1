import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

/** The flags of `reviewloop runs`. */
export const runsFlags = [
  operand({ name: 'id', arg: '[id]', help: 'the run to show' }),
  flag({
    name: 'orphans',
    help: 'only unfinished runs of any pipeline that no process works on',
  }),
  ...outputFlags,
  storeFlag,
] as const;
