import { defineCommand } from '../../cli-kit/flags/command.js';
import { providerFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { wholeNumber } from '../../cli-kit/flags/values.js';

/** The flags of `reviewloop mcp`. */
export const mcpFlags = [
  flag({
    name: 'root',
    arg: '<folder>',
    default: '.',
    help: 'the project folder; paths outside are refused',
  }),
  flag({ name: 'verified', help: 'count only verdicts that a reviewer submits' }),
  flag({
    name: 'maxAttempts',
    arg: '<n>',
    parse: wholeNumber,
    help: 'how many reviews of a step may fail (default: 3)',
  }),
  ...providerFlags('the model that reviews'),
  storeFlag,
] as const;

const help = `
Tools: start_workflow, finished_step, review_status, get_instructions, submit_verdict. A job file
names the steps of a workflow, their outputs and how they are reviewed. The state of a workflow is
stored in gates/ of the store; a restarted server continues it.

With a provider the gate asks that model (external). Without one the agent is told to have a
subagent review its work (self); with --verified only the verdict that the subagent submits opens
the gate.

Examples:
  reviewloop mcp
  reviewloop mcp --verified
  reviewloop mcp --provider cli:claude`;

/** `reviewloop mcp`: serves a quality gate to a coding agent over the Model Context Protocol. */
export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: 'serve a quality gate to a coding agent',
  description:
    'Serves a quality gate over the Model Context Protocol, on the standard input and output.',
  flags: mcpFlags,
  help,
  run: async (call, settings) => {
    const { serveMcp } = await import('./serve-mcp.js');
    return serveMcp(call, settings);
  },
});
