import { defineCommand } from '../../cli-kit/flags/command.js';
import { metricsFlags, showFlags } from './show-flags.js';

/** `reviewloop show`: shows one review, by default the last one. */
export const showCommand = defineCommand({
  name: 'show',
  summary: 'show a review, by default the last one',
  description: 'Shows a review: its decision, its age, and every dimension with its level.',
  flags: showFlags,
  help: '\nExamples:\n  reviewloop show\n  reviewloop show 0192f3c8 --json',
  run: async (call, settings) => {
    const { showReview } = await import('./show-review.js');
    return showReview(call, settings);
  },
});

/**
 * `reviewloop summary`: shows the request, the changes and the notes of a review, by default the
 * last one.
 */
export const summaryCommand = defineCommand({
  name: 'summary',
  summary: 'show the summary of a review, by default the last one',
  description:
    'Shows the summary of a review: the request, the changes, the notes of the reviewers, and the decision.',
  flags: showFlags,
  help: '\nExamples:\n  reviewloop summary\n  reviewloop summary 0192f3c8 --json',
  run: async (call, settings) => {
    const { showSummary } = await import('./show-review.js');
    return showSummary(call, settings);
  },
});

/** `reviewloop metrics`: shows the figures of all stored reviews. */
export const metricsCommand = defineCommand({
  name: 'metrics',
  summary: 'show approval rate, common issues and cost of all stored reviews',
  description:
    'Shows the figures of all stored reviews: approval rate, common issues, triggers ' +
    'of cycles, failures of judges, overrides and cost.',
  flags: metricsFlags,
  help: '\nExamples:\n  reviewloop metrics\n  reviewloop metrics --json',
  run: async (call, settings) => {
    const { showMetrics } = await import('./show-review.js');
    return showMetrics(call, settings);
  },
});
