/**
 * A provider for command line programs: Claude Code, Codex, and others.
 *
 * @module
 */

export type { FaultPlace } from '../../model/provider-fault.js';
export { type ClaudeOptions, claudeCommand } from './claude-command.js';
export type { CliAnswer, CliCall, CliCommand, CliOutput, CliPlan } from './cli-command.js';
export { type CliOptions, cliProvider } from './cli-provider.js';
export { type CodexOptions, codexCommand } from './codex-command.js';
export { type DeepworkCliOptions, deepworkCli } from './deepwork-cli.js';
export { type DeepworkOptions, deepworkCommand } from './deepwork-command.js';
export { type TextCommandOptions, textCommand } from './text-command.js';
