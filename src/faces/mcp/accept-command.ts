import { defineCommand } from '../cli-kit/flags/command.js';
import { acceptFlags } from './accept-flags.js';

const help = `
For a workflow of "reviewloop mcp" whose reviewer failed, or refuses what you want. The step is
accepted with the outputs that were handed in last, never approved. The agent goes on with
finished_step. If the outputs change afterwards, the step is open again.

Exit codes: 0 accepted, 1 failed, 2 usage error.

Examples:
  reviewloop accept 0192f3c8-6f2e-7a31-8d15-3f3b2a5c9e01 draft --reason 'Legal has checked it'`;

export const acceptCommand = defineCommand({
  name: 'accept',
  summary: 'accept a step of a workflow that no reviewer lets through',
  description: 'Accepts a step of a workflow of the MCP server, for the reason of a person.',
  flags: acceptFlags,
  help,
  person: ({ step }) => `you accept the step ${step}`,
  run: async (...given) => (await import('./accept-step.js')).acceptStep(...given),
});
