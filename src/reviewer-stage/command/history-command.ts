import { defineCommand } from '../../cli-kit/flags/command.js';
import { historyFlags } from './history-flags.js';

const help = `
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
  help,
  run: async (call, settings) => {
    const { listHistory } = await import('./list-history.js');
    return listHistory(call, settings);
  },
});
