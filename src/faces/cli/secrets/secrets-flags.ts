import {
  configFlag,
  excludeFlag,
  maxFileSizeFlag,
  outputFlags,
} from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { wholeNumber } from '../../cli-kit/flags/values.js';

export const secretsFlags = [
  operand({
    name: 'paths',
    arg: '[paths]',
    many: true,
    help: 'files, folders or globs (default: the current folder)',
  }),
  flag({
    name: 'baseline',
    arg: '<file>',
    help: 'allow every secret that is found: write its line into this file, with --reason',
  }),
  flag({ name: 'reason', arg: '<text>', help: 'with --baseline: why the new lines may stay' }),
  configFlag,
  excludeFlag,
  maxFileSizeFlag(20_000_000),
  flag({
    name: 'maxFiles',
    arg: '<n>',
    parse: wholeNumber,
    default: 50_000,
    help: 'refuse more files',
  }),
  ...outputFlags,
] as const;
