import { type CliCommand, defineCommand } from '../../cli-kit/flags/command.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { historyFlags, metricsFlags, runsFlags, showFlags } from './runs-flags.js';

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
