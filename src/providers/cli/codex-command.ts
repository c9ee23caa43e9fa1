import { join } from 'node:path';
import { checkTable, flag, list, type OptionTable, text } from '../../core/options.js';
import { unsupported } from '../shared/structured-output.js';
import {
  type CliCall,
  type CliCommand,
  type CliPlan,
  promptOf,
  proxyVariables,
} from './cli-command.js';
import { readCodex } from './codex-result.js';

export interface CodexOptions {
  /** A program on the PATH, or its full path. @default 'codex' */
  readonly executable?: string | undefined;
  /**
   * Whether its sandbox lets it edit files in the `cwd` of the provider.
   *
   * @default false: it can only read
   */
  readonly edits?: boolean | undefined;
  /** Further arguments, such as `['-c', 'model_provider=...']`. @default [] */
  readonly args?: readonly string[] | undefined;
  /**
   * Names of further environment variables that it may see. `AWS_*` stands for all with that
   * beginning.
   *
   * @default []
   */
  readonly allowEnv?: readonly string[] | undefined;
}

const table: OptionTable<CodexOptions> = {
  ...{ executable: text, edits: flag, args: list, allowEnv: list },
};

/**
 * Creates the command for Codex, without sessions or settings of the user. Its sandbox is read-only
 * unless `edits` is set.
 *
 * @example
 * ```ts
 * const provider = cliProvider({ command: codexCommand(), model: 'gpt-5.5' });
 * ```
 */
export function codexCommand(options: CodexOptions = {}): CliCommand {
  checkTable('codexCommand', table, options);
  return {
    name: 'codex',
    executable: options.executable ?? 'codex',
    capabilities: {
      structured: 'strict',
      schemaSubset: 'openai',
      streaming: false,
      reportsUsage: true,
      reportsCost: false,
    },
    allowEnv: [
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'CODEX_API_KEY',
      'CODEX_HOME',
      'XDG_CONFIG_HOME',
      ...proxyVariables,
      ...(options.allowEnv ?? []),
    ],
    plan: (call) => planOf(call, options),
    read: readCodex,
  };
}

function planOf(
  { request, folder, model }: CliCall,
  { edits = false, args = [] }: CodexOptions,
): CliPlan {
  const { system, schema } = request;
  const prompt = promptOf(request);
  return {
    args: [
      ...[
        'exec',
        '--json',
        '--ephemeral',
        '--skip-git-repo-check',
        '-s',
        edits ? 'workspace-write' : 'read-only',
        '--ignore-user-config',
        '--color',
        'never',
        '-o',
        join(folder, 'last.txt'),
      ],
      ...(schema === undefined ? [] : ['--output-schema', join(folder, 'schema.json')]),
      ...(model === undefined ? [] : ['-m', model]),
      ...args,
      '-',
    ],
    input: system === undefined || system === '' ? prompt : `${system}\n\n${prompt}`,
    files: schema === undefined ? {} : { 'schema.json': JSON.stringify(schema) },
    warnings: unsupported(request, ['maxOutputTokens', 'temperature', 'seed', 'providerOptions']),
  };
}
