import { byFlag, outputFlags, storeFlag } from '../cli-kit/flags/common-flags.js';
import { flag, operand } from '../cli-kit/flags/flag.js';

export const acceptFlags = [
  operand({ name: 'session', arg: '<session>', required: true, help: 'the workflow' }),
  operand({ name: 'step', arg: '<step>', required: true, help: 'the step' }),
  flag({ name: 'reason', arg: '<text>', required: true, help: 'why; recorded in the audit log' }),
  byFlag,
  flag({ name: 'root', arg: '<folder>', default: '.', help: 'the project folder of the workflow' }),
  ...outputFlags,
  storeFlag,
] as const;
