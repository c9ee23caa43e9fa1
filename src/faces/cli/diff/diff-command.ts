import { defineCommand } from '../../cli-kit/flags/command.js';
import { diffFlags } from './diff-flags.js';

const help = `
Without numbers it compares the version of the first review with the best one.

Examples:
  reviewloop diff 0192f3c8
  reviewloop diff 0192f3c8 2 3`;

/** `reviewloop diff`: shows what changed between two versions of a run. */
export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'show what changed between two versions of a run',
  description: 'Shows what changed between two versions of a run, and which gaps that closed.',
  flags: diffFlags,
  help,
  run: async (...given) => (await import('./show-diff.js')).showDiff(...given),
});
