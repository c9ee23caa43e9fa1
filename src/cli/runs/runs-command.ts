import { InvalidArgumentError } from 'commander';
import { type CliCommand, defineCommand } from '../../cli-kit/flags/command.js';
import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { wholeNumber } from '../../cli-kit/flags/values.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { systemClock } from '../../ports/clock.js';

/** The flags of `reviewloop runs`. */
export const runsFlags = [
  operand({ name: 'id', arg: '[id]', help: 'the run to show' }),
  flag({ name: 'summary', help: 'show the summary of a run, by default the last one' }),
  flag({ name: 'metrics', help: 'show the figures of all stored reviews' }),
  flag({
    name: 'orphans',
    help: 'only unfinished runs of any pipeline that no process works on',
  }),
  ...outputFlags,
  storeFlag,
] as const;

/** The flags of `reviewloop show` and `reviewloop summary`. */
export const showFlags = [
  operand({ name: 'id', arg: '[id]', help: 'the id of the run, a prefix of it, or the session' }),
  ...outputFlags,
  storeFlag,
] as const;

/** The flags of `reviewloop metrics`. */
export const metricsFlags = [...outputFlags, storeFlag] as const;

/** The flags of `reviewloop history`. */
export const historyFlags = [
  flag({ name: 'status', arg: '<status>', help: 'only reviews with this decision or status' }),
  flag({
    name: 'since',
    arg: '<when>',
    parse: sinceOf,
    write: (at) => new Date(at).toISOString(),
    help: 'only reviews since a date, or since a time span ago, such as 12h, 7d or 4w',
  }),
  flag({ name: 'limit', arg: '<n>', parse: wholeNumber, help: 'show at most n' }),
  ...outputFlags,
  storeFlag,
] as const;

const spans: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function sinceOf(value: string): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(value) ?? [];
  if (count !== undefined && unit !== undefined)
    return systemClock.now() - Number(count) * (spans[unit] ?? 0);
  const at = Date.parse(value);
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'Expected a date such as 2026-01-31, or a time span such as 12h, 7d or 4w.',
    );
  return at;
}

const help = `
Any unique prefix of an id works.

Examples:
  reviewloop runs
  reviewloop runs 0192f3c8
  reviewloop runs 0192f3c8 --summary
  reviewloop runs --format json
  reviewloop runs --orphans --store env:REVIEWS_DB`;

/** `reviewloop runs`: lists stored runs, or shows one. */
export const runsCommand = defineCommand({
  name: 'runs',
  summary: 'list stored runs, or show one in full',
  description: 'Lists the stored runs of all pipelines, newest first, or shows one in full.',
  flags: runsFlags,
  help,
  run: async (call, settings) => {
    const { id, summary, metrics, orphans } = settings;
    const views = [id !== undefined || summary, metrics, orphans];
    if (views.filter(Boolean).length > 1)
      throw new ReviewLoopError(
        nodeErrors.usage,
        'name a run, or use --metrics or --orphans, not both',
      );
    if (!summary && !metrics) {
      const { showRuns } = await import('./show-runs.js');
      return showRuns(call, settings);
    }
    const { showMetrics, showSummary } = await import(
      '../../reviewer-stage/command/show-review.js'
    );
    return summary ? showSummary(call, settings) : showMetrics(call, settings);
  },
});

/** A word that shows one review, by default the last one. */
function viewCommand(name: 'show' | 'summary', what: string, description: string): CliCommand {
  return defineCommand({
    name,
    summary: `show ${what}, by default the last one`,
    description,
    flags: showFlags,
    help: `\nExamples:\n  reviewloop ${name}\n  reviewloop ${name} 0192f3c8 --json`,
    run: async (call, settings) => {
      const { showReview, showSummary } = await import(
        '../../reviewer-stage/command/show-review.js'
      );
      return name === 'show' ? showReview(call, settings) : showSummary(call, settings);
    },
  });
}

/** `reviewloop show`: decision, age and levels of a review. */
export const showCommand = viewCommand(
  'show',
  'a review',
  'Shows a review: its decision, its age, and every dimension with its level.',
);

/** `reviewloop summary`, the word for `runs --summary`: request, changes, notes and decision. */
export const summaryCommand = viewCommand(
  'summary',
  'the summary of a review',
  'Shows the summary of a review: the request, the changes, the notes of the reviewers, and the decision.',
);

/** `reviewloop metrics`, the word for `runs --metrics`: shows the figures of all stored reviews. */
export const metricsCommand = defineCommand({
  name: 'metrics',
  summary: 'show approval rate, common issues and cost of all stored reviews',
  description:
    'Shows the figures of all stored reviews: approval rate, common issues, triggers ' +
    'of cycles, failures of judges, overrides and cost.',
  flags: metricsFlags,
  help: '\nExamples:\n  reviewloop metrics\n  reviewloop metrics --json',
  run: async (call, settings) => {
    const { showMetrics } = await import('../../reviewer-stage/command/show-review.js');
    return showMetrics(call, settings);
  },
});

const historyHelp = `
--status takes a decision (approved, rejected), the status of a run (approved, accepted, suspended,
rejected, escalated, exhausted, stalled, inconclusive, timed_out, cancelled, failed), or unreadable.

Examples:
  reviewloop history
  reviewloop history --status rejected --since 7d --limit 20
  reviewloop history --json`;

/** `reviewloop history`: the stored reviews, newest first. */
export const historyCommand = defineCommand({
  name: 'history',
  summary: 'list stored reviews with their decisions',
  description: 'Lists stored reviews, newest first: session, decision, and age.',
  flags: historyFlags,
  help: historyHelp,
  run: async (call, settings) => {
    const { listHistory } = await import('../../reviewer-stage/command/list-history.js');
    return listHistory(call, settings);
  },
});
