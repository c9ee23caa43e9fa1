import { defineCommand } from '../../cli-kit/flags/command.js';
import { runsFlags } from './runs-flags.js';

const help = `
Any unique prefix of an id works.

Examples:
  reviewloop runs
  reviewloop runs 0192f3c8
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
    const { showRuns } = await import('./show-runs.js');
    return showRuns(call, settings);
  },
});
