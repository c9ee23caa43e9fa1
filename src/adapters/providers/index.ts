/**
 * Creates providers by name, and a provider for command line programs: Claude Code, Codex, and others.
 *
 * @module
 */

export { claudeCommand } from './cli/claude-command.js';
export type { CliAnswer, CliCall, CliCommand, CliOutput, CliPlan } from './cli/cli-command.js';
export { cliProvider } from './cli/cli-provider.js';
export { codexCommand } from './cli/codex-command.js';
export { deepworkCli, deepworkCommand } from './cli/deepwork-cli.js';
export { textCommand } from './cli/text-command.js';
export { type FoundProvider, findProvider, keyVariables, providerFrom } from './provider-from.js';
export type { HttpOptions } from './shared/service-client.js';
