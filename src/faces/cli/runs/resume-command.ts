import { defineCommand } from '../../cli-kit/flags/command.js';
import { outputFlags, quietFlag, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { operand } from '../../cli-kit/flags/flag.js';
import { reportFlag } from '../../cli-kit/reports/report-flag.js';

const help = `
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
  help,
  run: async (...given) => (await import('./answer-run.js')).resumeRun(...given),
});
