import { InvalidArgumentError } from 'commander';
import { systemClock } from '../../../ports/clock.js';
import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand, type SettingsOf } from '../../cli-kit/flags/flag.js';
import { timeSpan, wholeNumber } from '../../cli-kit/flags/values.js';

export const showFlags = [
  operand({ name: 'id', arg: '[id]', help: 'the run to show: its id or a prefix of it' }),
  ...outputFlags,
  storeFlag,
] as const;

const historyFilters = [
  flag({ name: 'status', arg: '<status>', help: 'only reviews with this decision or status' }),
  flag({
    name: 'since',
    arg: '<when>',
    parse: sinceOf,
    write: (at) => new Date(at).toISOString(),
    help: 'only reviews since a date, or since a time span ago, such as 12h, 7d or 4w',
  }),
  flag({ name: 'limit', arg: '<n>', parse: wholeNumber, help: 'show at most n reviews' }),
] as const;

export const historyFlags = [...historyFilters, ...outputFlags, storeFlag] as const;

export const runsFlags = [
  ...showFlags,
  flag({ name: 'gaps', help: 'all gaps of the run with their fixes, and what became of them' }),
  flag({ name: 'requirements', help: 'all requirements of the run, and who decided them' }),
  flag({
    name: 'judges',
    help: 'the judges of the run that found something, failed or cost something',
  }),
  flag({ name: 'task', help: 'the task of the run' }),
  flag({ name: 'next', help: 'all commands that lead on from the run' }),
  flag({ name: 'levels', help: 'decision, age and levels of a review, by default the last one' }),
  flag({ name: 'summary', help: 'the summary of a review, by default the last one' }),
  flag({ name: 'history', help: 'all reviews with their decisions' }),
  flag({
    name: 'metrics',
    help: 'approval rate, common issues, failures of judges and cost of all reviews',
  }),
  flag({
    name: 'orphans',
    help: 'only unfinished runs of any pipeline that no process works on',
  }),
  ...historyFilters,
] as const;

export type RunsSettings = Partial<SettingsOf<typeof runsFlags>> &
  Pick<SettingsOf<typeof runsFlags>, 'format'>;

function sinceOf(value: string): number {
  if (/^\d{1,6}[mhdw]$/.test(value)) return systemClock.now() - timeSpan(value);
  const at = Date.parse(value);
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'Expected a date such as 2026-01-31, or a time span such as 12h, 7d or 4w.',
    );
  return at;
}
