import { defineCommand } from '../cli-kit/flags/command.js';
import { mcpFlags } from './mcp-flags.js';
import type { AnswerByClient } from './serve-mcp.js';

const help = `
Tools: start_workflow, finished_step, review_status, get_instructions, submit_verdict; show_report
and ask_person, for the person at the client. A job file
names the steps of a workflow, their outputs and how they are reviewed. The state of a workflow is
stored in gates/ of the store; a restarted server continues it.

With --provider or --cli the gate asks that reviewer (external). Without, it tells the agent to have
a subagent review its work (self). With --verified only verdicts open the gate: those of the
reviewer, or those that the subagent submits. A verified workflow cannot continue without it.

A person accepts a step that no reviewer lets through with \`reviewloop accept\`. Resources:
reviewloop://questions (what suspended runs wait for) and reviewloop://reports/last.

Where a client opens pages, ask_person leads to the inbox that --inbox names. Start it with a port
of its own; its page asks the person for its token, and answers there count.

Examples:
  reviewloop mcp
  reviewloop mcp --verified
  reviewloop mcp --provider ollama:MODEL --max-inline-files 40 --review-timeout 900
  reviewloop mcp --provider cli:claude
  reviewloop mcp --inbox http://127.0.0.1:7070`;

export const mcpCommand = (answer: AnswerByClient) =>
  defineCommand({
    name: 'mcp',
    summary: 'serve a quality gate to a coding agent',
    description:
      'Serves a quality gate over the Model Context Protocol, on the standard input and output.',
    flags: mcpFlags,
    help,
    person: ({ trustClient }) => (trustClient ? 'you trust the client' : undefined),
    run: async (...given) => (await import('./serve-mcp.js')).serveMcp(...given, answer),
  });
