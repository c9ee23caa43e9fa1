import { defineCommand } from '../../cli-kit/flags/command.js';
import { gateFlags } from './gate-flags.js';

const help = `
A job file is YAML or JSON with steps, their outputs and reviews. \`external\` asks Claude Code (or
--provider) to review; \`self\` writes instructions for a reviewer that the agent starts itself, and
takes the --override-reason of a person afterwards. Attempts are counted per session.

A review may take 240 s, and 30 s more for each file beyond the fifth, as in DeepWork, or as long
as --review-timeout says. Ctrl-C ends it with its reviewer.

Exit codes: 0 approved or accepted, 50 not approved, 52 timed out, 53 suspended: instructions
written, not reviewed yet, 2 usage error.

Examples:
  reviewloop gate --job job.yml --step draft --output report=report.md
  reviewloop gate --job job.yml --step draft --mode self
  reviewloop gate --job job.yml --step draft --override-reason 'All criteria passed in the second look'`;

export const gateCommand = defineCommand({
  name: 'gate',
  summary: 'run the quality gate for a job step',
  description:
    'Reviews the outputs of a job step against its criteria, and opens or closes the gate.',
  flags: gateFlags,
  cancelled: 'the step has no verdict; run the command again',
  help,
  person: ({ overrideReason }) =>
    overrideReason === undefined ? undefined : 'you accept the step for your reason',
  run: async (...given) => (await import('./run-gate.js')).runGate(...given),
});
