import { join } from 'node:path';
import * as z from 'zod';
import { clean, faultOfWords, malformed, refused } from '../../../blocks/models/provider-fault.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import type { LLMResult } from '../../../core/llm-provider.js';
import {
  checkTable,
  flag,
  list,
  type OptionTable,
  oneOf,
  text,
  whole,
} from '../../../core/options.js';
import {
  AnthropicUsageSchema,
  anthropicUsage,
  textBeside,
  toldUsage,
  unsupported,
} from '../shared/service-client.js';
import {
  type CliAnswer,
  type CliCall,
  type CliCommand,
  type CliOutput,
  type CliPlan,
  claudeVariables,
  failedCommand,
  missingStructure,
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
    capabilities: { ...toldUsage, structured: 'tool', schemaSubset: 'full', reportsCost: true },
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

const optionalText = z.string().nullish().catch(undefined);

const count = z.number().nullish().catch(undefined);

/** The output of `claude --output-format json`. Its members depend on the version. */
const ClaudeResultSchema = z.looseObject({
  type: z.literal('result'),
  subtype: optionalText,
  is_error: z.boolean().nullish(),
  api_error_status: count,
  result: optionalText,
  stop_reason: optionalText,
  structured_output: z.unknown().optional(),
  total_cost_usd: count,
  usage: AnthropicUsageSchema,
  modelUsage: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

type ClaudeResult = z.infer<typeof ClaudeResultSchema>;

/** Only `is_error` and the exit code show a failure, not `subtype`. */
export async function readClaude(output: CliOutput, { request }: CliCall): Promise<CliAnswer> {
  const result = resultIn(output.stdout);
  if (result === undefined)
    throw output.exitCode === 0
      ? malformed(output.place, 'no result object in the output', output.stdout)
      : failedCommand(output);
  const usage = anthropicUsage(result.usage, result.total_cost_usd);
  const answer = {
    usage,
    ...modelOf(result),
    raw: { subtype: result.subtype, stop_reason: result.stop_reason, usage: result.usage },
  };
  if (result.is_error === true)
    return { ...answer, text: '', finish: brokenFinish(output, result, usage) };
  if (output.exitCode !== 0) throw failedCommand(output);
  if (result.stop_reason === 'refusal') throw refused(output.place, result.result ?? '', usage);
  const finish = result.stop_reason === 'max_tokens' ? 'length' : 'stop';
  if (request.schema === undefined || finish === 'length')
    return { ...answer, text: result.result ?? '', finish };
  const object = structureOf(output, result, usage);
  const text = textBeside(result.result ?? '', JSON.stringify(object));
  return { ...answer, text, object, finish };
}

function structureOf(
  output: CliOutput,
  { structured_output: object, result }: ClaudeResult,
  usage: LLMResult['usage'],
): object {
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object;
  const said = object === undefined ? (result ?? '') : 'another value';
  const why = `\`structured_output\` is ${object === undefined ? 'missing' : 'not an object'}`;
  throw missingStructure({ ...output, said }, why, usage);
}

/** It is the whole output, the last matching message of a list, or the last matching line. */
function resultIn(stdout: string): ClaudeResult | undefined {
  const trimmed = stdout.trim();
  const whole = jsonIn(trimmed);
  const candidates = Array.isArray(whole)
    ? whole.toReversed()
    : whole === undefined
      ? trimmed.split('\n').toReversed().map(jsonIn)
      : [whole];
  for (const candidate of candidates) {
    const found = ClaudeResultSchema.safeParse(candidate);
    if (found.success) return found.data;
  }
  return undefined;
}

/** An answer that was too long is not an error: its finish is returned. */
function brokenFinish(
  { place, stdout }: CliOutput,
  result: ClaudeResult,
  usage: LLMResult['usage'],
): LLMResult['finish'] {
  const said = result.result ?? result.subtype ?? 'no reason given';
  if (typeof result.api_error_status === 'number')
    throw faultOfWords(place, said, result.api_error_status);
  if (result.stop_reason === 'refusal') throw refused(place, said, usage);
  if (/output token maximum/i.test(said)) return 'length';
  if (result.subtype === 'error_max_structured_output_retries')
    throw missingStructure({ place, stdout, said }, clean(place, said, 500), usage);
  if (result.subtype === 'error_max_budget_usd')
    throw new ReviewLoopError('budget_exceeded', `${place.id} failed: ${clean(place, said, 500)}`);
  throw faultOfWords(place, said);
}

function modelOf({ modelUsage }: ClaudeResult): Pick<CliAnswer, 'model'> {
  const [model] = Object.keys(modelUsage ?? {});
  return model === undefined ? {} : { model };
}
