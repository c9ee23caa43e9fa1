import { join } from 'node:path';
import * as z from 'zod';
import { faultOfWords, malformed } from '../../../blocks/models/provider-fault.js';
import type { LLMResult } from '../../../core/llm-provider.js';
import { checkTable, flag, list, type OptionTable, text } from '../../../core/options.js';
import {
  objectOf,
  programLacks,
  textBeside,
  toldUsage,
  unsupported,
  usageFromCounts,
} from '../shared/service-client.js';
import {
  type CliAnswer,
  type CliCall,
  type CliCommand,
  type CliOutput,
  type CliPlan,
  failedCommand,
  missingStructure,
  promptOf,
  proxyVariables,
} from './cli-command.js';

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
    capabilities: { ...toldUsage, structured: 'strict', schemaSubset: 'openai' },
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
    warnings: unsupported(request, programLacks),
  };
}

const count = z.number().nullish().catch(undefined);

/** The used lines of `codex exec --json`. Other lines are ignored. */
const EventSchema = z.union([
  z.looseObject({
    type: z.literal('item.completed'),
    item: z.looseObject({ type: z.literal('agent_message'), text: z.string() }),
  }),
  z.looseObject({
    type: z.literal('turn.completed'),
    usage: z
      .looseObject({ input_tokens: count, cached_input_tokens: count, output_tokens: count })
      .nullish(),
  }),
  z.looseObject({ type: z.literal('turn.failed'), error: z.looseObject({ message: z.string() }) }),
]);

type CodexEvent = z.infer<typeof EventSchema>;

/** The answer is the file of the last message, or the last message event. */
export async function readCodex(output: CliOutput, { request }: CliCall): Promise<CliAnswer> {
  const events = output.stdout.split('\n').flatMap(eventOf);
  const failed = events.findLast((event) => event.type === 'turn.failed');
  const completed = events.findLast((event) => event.type === 'turn.completed');
  const said = events.findLast((event) => event.type === 'item.completed')?.item.text ?? '';
  if (failed !== undefined)
    return { text: said, finish: finishOf(output, failed.error.message), usage: {} };
  if (output.exitCode !== 0) throw failedCommand(output);
  if (completed === undefined)
    throw malformed(output.place, 'no turn was completed', output.stdout);
  const text = (await output.file('last.txt')) || said;
  const {
    input_tokens: input,
    output_tokens: out,
    cached_input_tokens: cached,
  } = completed.usage ?? {};
  const answer = {
    text,
    finish: 'stop' as const,
    usage: usageFromCounts({ input, output: out, cached }),
    raw: { usage: completed.usage },
  };
  if (request.schema === undefined) return answer;
  const object = objectOf(request, text);
  if (!('object' in object))
    throw missingStructure({ ...output, said: text }, 'the last message is not JSON', answer.usage);
  return { ...answer, ...object, text: textBeside(said, text) };
}

function eventOf(line: string): CodexEvent[] {
  try {
    const found = EventSchema.safeParse(JSON.parse(line));
    return found.success ? [found.data] : [];
  } catch {
    return [];
  }
}

/** A truncated or filtered answer is not an error: its finish is returned. */
function finishOf({ place }: CliOutput, message: string): LLMResult['finish'] {
  const reason = /Incomplete response.{0,500}reason: (\w+)/i.exec(message)?.[1];
  if (reason !== undefined)
    return reason === 'max_output_tokens'
      ? 'length'
      : reason === 'content_filter'
        ? 'content-filter'
        : 'other';
  throw faultOfWords(place, message);
}
