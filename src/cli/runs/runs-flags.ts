import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { operand } from '../../cli-kit/flags/flag.js';

/** The flags of `reviewloop runs`. */
export const runsFlags = [
  operand({ name: 'id', arg: '[id]', help: 'the run to show' }),
  ...outputFlags,
  storeFlag,
] as const;
