import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { countFromZero, timeSpan, timeSpanText } from '../../cli-kit/flags/values.js';

export const copyFlags = [
  operand({ name: 'from', arg: '<from>', required: true, help: 'the store to copy' }),
  operand({
    name: 'to',
    arg: '<to>',
    required: true,
    help: 'the database to copy into: postgres://HOST/NAME or env:NAME',
  }),
  ...outputFlags,
] as const;

export const migrateFlags = [...outputFlags, storeFlag] as const;

export const pruneFlags = [
  flag({
    name: 'olderThan',
    arg: '<span>',
    required: true,
    parse: timeSpan,
    write: timeSpanText,
    help: 'remove runs that ended, and verdicts, longer ago than this, such as 12h, 30d or 8w',
  }),
  flag({
    name: 'keep',
    arg: '<n>',
    parse: countFromZero,
    help: 'leave the n newest ended runs, however old they are',
  }),
  ...outputFlags,
  storeFlag,
] as const;
