import { type CliCommand, defineCommand, type StoredCall } from '../../cli-kit/flags/command.js';
import { outputFlags, quietFlag, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { operand } from '../../cli-kit/flags/flag.js';
import { reportFlag } from '../../cli-kit/reports/report-flag.js';
import { historyFlags, type RunsSettings, runsFlags, showFlags } from './runs-flags.js';

const help = `
Any unique prefix of an id works; --levels and --summary also take a session, and without an id the
last review.

--status takes a decision (approved, rejected), the status of a run (approved, accepted, suspended,
rejected, escalated, exhausted, stalled, inconclusive, timed_out, cancelled, failed), or unreadable.

Examples:
  reviewloop runs
  reviewloop runs 0192f3c8
  reviewloop runs 0192f3c8 --summary
  reviewloop runs --history --status rejected --since 7d --limit 20
  reviewloop runs --format json
  reviewloop runs --orphans --store env:REVIEWS_DB`;

async function show(call: StoredCall, settings: RunsSettings): Promise<number> {
  const { showRuns } = await import('./show-runs.js');
  return showRuns(call, settings);
}

export const runsCommand = defineCommand({
  name: 'runs',
  summary: 'list stored runs, or show one in full',
  description: 'Lists the stored runs of all pipelines, newest first, or shows one in full.',
  flags: runsFlags,
  help,
  run: show,
});

export const runsWords: readonly CliCommand[] = [
  defineCommand({
    name: 'show',
    summary: 'short for `runs [ID] --levels`',
    description: 'Shows a review, by default the last one, as `reviewloop runs --levels` does.',
    flags: showFlags,
    run: (call, settings) => show(call, { ...settings, levels: true }),
  }),
  defineCommand({
    name: 'history',
    summary: 'short for `runs --history`',
    description: 'Lists reviews with their decisions, as `reviewloop runs --history` does.',
    flags: historyFlags,
    run: (call, settings) => show(call, { ...settings, history: true }),
  }),
];

const resumeHelp = `
Any unique prefix of an id works. What was recorded is replayed, so nothing is paid for twice. A run
without a recorded answer stays suspended. Tasks continue with \`reviewloop tasks run\`.

Exit codes: those of the new outcome; 2 if the run cannot continue here.

Examples:
  reviewloop resume 0192f3c8 --store env:REVIEWS_DB`;

export const resumeCommand = defineCommand({
  name: 'resume',
  summary: 'continue a run whose answer was recorded elsewhere',
  description:
    'Continues a suspended run with the answers that were recorded, on this or another machine.',
  flags: [
    operand({ name: 'id', arg: '<id>', required: true, help: 'the run' }),
    reportFlag,
    ...outputFlags,
    quietFlag,
    storeFlag,
  ],
  help: resumeHelp,
  run: async (...given) => (await import('./answer-run.js')).resumeRun(...given),
});
