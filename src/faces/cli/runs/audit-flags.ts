import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';

export const auditFlags = [
  flag({
    name: 'expect',
    arg: '<mark>',
    help: 'a record that the log must contain, as SEQ:HASH',
  }),
  ...outputFlags,
  storeFlag,
] as const;
