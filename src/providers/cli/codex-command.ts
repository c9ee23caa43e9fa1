import { join } from 'node:path';
import { checkKeys } from '../../core/options.js';
import { unsupported } from '../shared/structured-output.js';
import {
  type CliCall,
  type CliCommand,
  type CliPlan,
  checkEdits,
  promptOf,
  proxyVariables,
} from './cli-command.js';
import { readCodex } from './codex-result.js';

/** How `codex` is called. */
export interface CodexOptions {
  /** @default 'codex' */
  readonly executable?: string | undefined;
  /** Whether its sandbox lets it edit the files of the provider's `cwd`, as a reviewer that fixes what it finds. @default false: it only reads */
  readonly edits?: boolean | undefined;
  /** Further arguments, such as `['-c', 'model_provider=...']`. @default none */
  readonly args?: readonly string[] | undefined;
  /** Names of further variables that it may see, such as the key of a provider of its own. @default none */
  readonly allowEnv?: readonly string[] | undefined;
}

/**
 * Codex, in a sandbox that only reads unless it may edit, without sessions or settings of the user.
 *
 * @example
 * ```ts
 * const provider = cliProvider({ command: codexCommand(), model: 'gpt-5.5' });
 * ```
 */
export function codexCommand(options: CodexOptions = {}): CliCommand {
  checkKeys('codexCommand', options, ['executable', 'edits', 'args', 'allowEnv']);
  checkEdits(options.edits);
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
