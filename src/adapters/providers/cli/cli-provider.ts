import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelErrors } from '../../../blocks/models/errors.js';
import { cancelledBy, clean, type FaultPlace } from '../../../blocks/models/provider-fault.js';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import {
  checkAge,
  checkPositive,
  checkTable,
  elsewhere,
  filled,
  like,
  type OptionTable,
  required,
  whole,
} from '../../../core/options.js';
import { addUsage } from '../../../core/usage.js';
import {
  isAllowed,
  type ProcessOptions,
  type ProcessResult,
  runProcess,
} from '../../../node/process.js';
import { withTempFolder } from '../../../node/temp-folder.js';
import {
  askStructured,
  defaultAnswerBytes,
  defaultTimeoutMs,
  objectOf,
  structuredOption,
  systemOf,
} from '../shared/service-client.js';
import { claudeCommand } from './claude-command.js';
import type { CliAnswer, CliCall, CliCommand, CliOutput } from './cli-command.js';
import { codexCommand } from './codex-command.js';

export interface CliOptions {
  /** The program: `claude`, `codex`, or another command. */
  readonly command: 'claude' | 'codex' | CliCommand;
  /** The model. @default the model that the program chooses */
  readonly model?: string | undefined;
  /** The working directory. @default a new empty folder for each call */
  readonly cwd?: string | undefined;
  /**
   * Further environment variables. Errors never contain values of 8 or more characters.
   *
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Timeout of one call, in milliseconds. Then the program and its child processes are ended.
   *
   * @default 300000
   */
  readonly timeoutMs?: number | undefined;
  /** The largest output, in bytes. @default 16777216 */
  readonly maxOutputBytes?: number | undefined;
  /**
   * Whether the program enforces a schema (`strict`) or only the prompt asks for it. A program that
   * refuses the schema is asked by the prompt from then on.
   *
   * @default 'strict'
   */
  readonly structured?: 'strict' | 'json' | 'prompt' | undefined;
  /** How often the program runs again if the structured output is missing; from 0. @default 2 */
  readonly retries?: number | undefined;
  /** How long the program may take to end before it is killed, in milliseconds. @default 2000 */
  readonly killAfterMs?: number | undefined;
  /** The id of the provider, in messages and cache keys. @default `cli:` with command and model */
  readonly id?: string | undefined;
}

const isCommand = like(
  "'claude', 'codex', or a command such as textCommand({ executable })",
  'plan',
  'read',
);
const table: OptionTable<CliOptions> = {
  ...{ command: required(elsewhere()), model: filled(), cwd: filled(), env: elsewhere() },
  ...{ timeoutMs: checkPositive, maxOutputBytes: whole(2), retries: whole(0) },
  ...{ killAfterMs: checkAge, id: filled(), structured: structuredOption },
};

/**
 * Creates a provider that runs a command line program: Claude Code, Codex, or another one. It runs
 * without a shell and sees only the environment variables of its vendor. A timeout ends it with all
 * its child processes.
 *
 * @throws ReviewLoopError `invalid_options`; a call may reject with `process_not_found`,
 *   `process_failed` and the codes of providers
 * @example
 * ```ts
 * const provider = cliProvider({ command: 'claude', timeoutMs: 240_000 });
 * ```
 */
export function cliProvider(options: CliOptions): LLMProvider {
  const command = checked(options);
  const { model } = options;
  const own = command.capabilities.structured;
  const structured = (options.structured ?? 'strict') === 'strict' ? own : 'prompt';
  const id = options.id ?? `cli:${command.name}${model === undefined ? '' : `:${model}`}`;
  return {
    id,
    ...(model === undefined ? {} : { model }),
    capabilities: { ...command.capabilities, structured },
    generate: askStructured(id, structured, async (request, asked) => {
      const call = { id, command, options };
      if (asked === own) return askOften(call, request);
      const { schema: _, schemaName: _name, ...plain } = request;
      const result = await askOften(call, { ...plain, system: systemOf(request, 'prompt') });
      return { ...result, ...objectOf(request, result.text) };
    }),
  };
}

async function askOften(asked: Asked, request: LLMRequest): Promise<LLMResult> {
  const { id, options } = asked;
  const { model = id, retries = 2 } = options;
  let spent: LLMResult['usage'] = {};
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { usage, warnings = [], ...answer } = await askOnce(asked, request);
      const used = { usage: addUsage(spent, usage), attempts: attempt };
      return { model, ...answer, warnings, ...used };
    } catch (error) {
      if (
        !(error instanceof ReviewLoopError) ||
        !['answer_unreadable', 'answer_empty'].includes(error.code) ||
        attempt > retries
      )
        throw error;
      spent = addUsage(spent, usageIn(error.value));
    }
  }
}

function usageIn(value: unknown): LLMResult['usage'] {
  return typeof value === 'object' && value !== null && 'usage' in value
    ? (value.usage as LLMResult['usage'])
    : {};
}

interface Asked {
  readonly id: string;
  readonly command: CliCommand;
  readonly options: CliOptions;
}

function askOnce({ id, command, options }: Asked, request: LLMRequest): Promise<CliAnswer> {
  return withTempFolder(async (folder) => {
    const call: CliCall = { request, folder, model: options.model };
    const { args, input, files = {}, env = {}, warnings = [] } = command.plan(call);
    const work = join(folder, 'work');
    await mkdir(work);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const place: FaultPlace = {
      id,
      secrets: [
        ...Object.values(options.env ?? {}).filter((value) => value.length >= 8),
        ...Object.keys(process.env)
          .filter((name) => /KEY|TOKEN/.test(name) && isAllowed(name, command.allowEnv))
          .map((name) => process.env[name]),
      ],
    };
    const result = await run(
      { id, command, options },
      { args, input, env: { ...env, ...options.env }, cwd: options.cwd ?? work },
      { signal: request.signal, place },
    );
    const { exitCode, signal, stdout, stderr } = result;
    const output: CliOutput = {
      ...{ exitCode, signal, stdout, stderr, place },
      file: (name) => textIn(join(folder, name)),
    };
    const answer = await command.read(output, call);
    return { ...answer, warnings: [...warnings, ...(answer.warnings ?? [])] };
  });
}

async function run(
  { id, command, options }: Asked,
  started: Pick<ProcessOptions, 'args' | 'input' | 'env' | 'cwd'>,
  { signal, place }: { readonly signal: AbortSignal; readonly place: FaultPlace },
): Promise<ProcessResult> {
  const { timeoutMs = defaultTimeoutMs, maxOutputBytes = defaultAnswerBytes } = options;
  try {
    const { executable, allowEnv } = command;
    const result = await runProcess({
      ...started,
      ...{ command: executable, allowEnv, timeoutMs, signal, maxOutputBytes },
      killAfterMs: options.killAfterMs,
    });
    if (result.truncated)
      throw new ReviewLoopError(
        modelErrors.provider_malformed,
        `the output of ${id} is larger than the ${maxOutputBytes} bytes allowed`,
        { value: { maxOutputBytes } },
      );
    return result;
  } catch (error) {
    if (signal.aborted) throw cancelledBy(signal, id);
    if (!isReviewError(error) || error.code !== 'process_timeout') throw error;
    const said = error instanceof ReviewLoopError ? (error.value as ProcessResult).stderr : '';
    throw new ReviewLoopError(
      modelErrors.provider_timeout,
      `${id} did not answer within ${timeoutMs} ms`,
      {
        retryable: true,
        value: { stderr: clean(place, said.slice(-2000), 2000) },
      },
    );
  }
}

async function textIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

function checked(options: CliOptions): CliCommand {
  checkTable('cliProvider', table, options);
  const { command } = options;
  if (command === 'claude') return claudeCommand();
  if (command === 'codex') return codexCommand();
  isCommand('command', command);
  return command;
}
