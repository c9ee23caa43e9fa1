/** The variables by which coding agents tell that they run a command. */
const agentVariables = [
  ...['AI_AGENT', 'AUGMENT_AGENT', 'CLAUDECODE', 'CLAUDE_CODE', 'CLAUDE_CODE_ENTRYPOINT'],
  ...['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID'],
  ...['COPILOT_AGENT', 'COPILOT_CLI', 'CURSOR_AGENT', 'GEMINI_CLI', 'GOOSE_PROVIDER'],
  ...['JUNIE_DATA', 'JUNIE_SHIM_PATH', 'OPENCODE', 'REPL_ID'],
];

/** Removes the signs of an agent: tests expect what people see, whoever runs the tests. */
export function withoutAgent(): void {
  for (const name of agentVariables) delete process.env[name];
}
