import { join } from 'node:path';
import {
  checkTable,
  flag,
  list,
  type OptionTable,
  oneOf,
  text,
  whole,
} from '../../core/options.js';
import { unsupported } from '../shared/structured-output.js';
import { readClaude } from './claude-result.js';
import {
  type CliCall,
  type CliCommand,
  type CliPlan,
  claudeVariables,
  promptOf,
} from './cli-command.js';

export interface ClaudeOptions {
  /** A program on the PATH, or its full path. @default 'claude' */
  readonly executable?: string | undefined;
  /**
   * `key` uses ANTHROPIC_API_KEY and ignores the user's settings. `login` uses the login of a
   * subscription.
   *
   * @default 'key' if ANTHROPIC_API_KEY is set, else 'login'
   */
  readonly auth?: 'key' | 'login' | undefined;
  /**
   * How often the program itself retries. With more than 0, a bad key fails only by the timeout.
   *
   * @default 0
   */
  readonly maxRetries?: number | undefined;
  /**
   * Whether it may read and edit files in the `cwd` of the provider. It never runs commands.
   *
   * @default false: it has no tools
   */
  readonly edits?: boolean | undefined;
  /** Further arguments. @default [] */
  readonly args?: readonly string[] | undefined;
  /**
   * Names of further environment variables that it may see. `AWS_*` stands for all with that
   * beginning.
   *
   * @default []
   */
  readonly allowEnv?: readonly string[] | undefined;
}

const table: OptionTable<ClaudeOptions> = {
  ...{ executable: text, auth: oneOf('key', 'login'), maxRetries: whole(0), edits: flag },
  ...{ args: list, allowEnv: list },
};

/**
 * Creates the command for Claude Code in print mode. It has no session, no settings of the folder,
 * and no tools unless `edits` is set.
 *
 * @example
 * ```ts
 * const command = claudeCommand({ auth: 'login' });
 * const provider = cliProvider({ command, model: 'claude-sonnet-5-5' });
 * ```
 */
export function claudeCommand(options: ClaudeOptions = {}): CliCommand {
  checkTable('claudeCommand', table, options);
  return {
    name: 'claude',
    executable: options.executable ?? 'claude',
    capabilities: {
      structured: 'tool',
      schemaSubset: 'full',
      streaming: false,
      reportsUsage: true,
      reportsCost: true,
    },
    allowEnv: [...claudeVariables, ...(options.allowEnv ?? [])],
    plan: (call) => planOf(call, options),
    read: readClaude,
  };
}

/** In print mode, actions that need a permission are denied without a question. */
const editing = ['Read,Edit,Write,Glob,Grep', '--permission-mode', 'acceptEdits'];

function planOf(
  { request, folder, model }: CliCall,
  { auth, maxRetries = 0, edits = false, args = [] }: ClaudeOptions,
): CliPlan {
  const { system, schema, maxOutputTokens } = request;
  const byKey =
    (auth ?? ((process.env['ANTHROPIC_API_KEY'] ?? '') === '' ? 'login' : 'key')) === 'key';
  const own = system !== undefined && system !== '';
  return {
    args: [
      ...[
        '-p',
        byKey ? '--bare' : '--safe-mode',
        '--tools',
        ...(edits ? editing : ['']),
        '--strict-mcp-config',
        '--no-session-persistence',
        '--output-format',
        'json',
      ],
      ...(model === undefined ? [] : ['--model', model]),
      ...(own ? ['--system-prompt-file', join(folder, 'system.txt')] : []),
      ...(schema === undefined ? [] : ['--json-schema', JSON.stringify(schema)]),
      ...args,
    ],
    input: promptOf(request),
    files: own ? { 'system.txt': system } : {},
    env: {
      CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ...(maxOutputTokens === undefined
        ? {}
        : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) }),
    },
    warnings: unsupported(request, ['temperature', 'seed', 'providerOptions']),
  };
}
