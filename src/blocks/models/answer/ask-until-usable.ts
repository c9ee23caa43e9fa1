import * as z from 'zod';
import { linkFaults, onAbort } from '../../../core/abort-signal.js';
import { builtOnUse } from '../../../core/built-on-use.js';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import {
  type LLMProvider,
  type LLMRequest,
  type ReliedResult,
  ReliedResultSchema,
} from '../../../core/llm-provider.js';
import { truncate } from '../../../core/text/truncate.js';
import { addUsage, type Usage, UsageSchema } from '../../../core/usage.js';
import { estimatedTokens } from '../../../ports/token-counter.js';
import { modelErrors } from '../errors.js';
import { fence, promptNonce } from '../prompt/fence.js';
import type { AnswerReading, AskModelOptions, ModelAnswer } from './ask-options.js';
import { readAnswer, readBoth } from './read-answer.js';
import { ensureAllRead, ensureWhole } from './whole-prompt.js';
import { toWireSchema, type WireSchema } from './wire-schema.js';

const AttemptSchema = builtOnUse(() =>
  z.object({
    value: z.unknown(),
    raw: z.string(),
    repaired: z.boolean(),
    usage: UsageSchema,
    model: z.string(),
    problem: z.string().optional(),
  }),
);

type Attempt = z.infer<typeof AttemptSchema>;

export async function askUntilUsable<Data, Value>(
  options: AskModelOptions<Data>,
  read: (data: Data) => AnswerReading<Value>,
  countPrompt: (() => Promise<number>) | undefined,
): Promise<ModelAnswer<Value>> {
  const { provider, schema, system, reasks = 1, schemaName = 'answer' } = options;
  const reader = new AnswerReader(schema, read);
  const wire = toWireSchema(schema, provider.capabilities.schemaSubset);
  const asked = options.messages ?? [{ role: 'user' as const, content: options.prompt ?? '' }];
  const prompt = [system ?? '', ...asked.map(({ content }) => content)].join('\n');
  let usage: Usage = {};
  let problem: Attempt | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const again = problem && reaskText(problem.problem ?? '', problem.raw, prompt);
    const messages =
      again === undefined ? asked : [...asked, { role: 'user' as const, content: again }];
    const name = attempts === 1 ? schemaName : `${schemaName}:again${attempts - 1}`;
    const attempt = await attempted(options, {
      system,
      messages,
      prompt,
      again,
      countPrompt,
      wire,
      name,
      last: attempts > reasks,
      reader,
    });
    usage = addUsage(usage, attempt.usage);
    if (attempt.problem === undefined) {
      const { raw, repaired, model } = attempt;
      const value = await reader.valueOf(attempt.value, raw);
      return { value, raw, usage, repaired, attempts, model };
    }
    problem = attempt;
  }
}

interface Asking {
  readonly system: string | undefined;
  readonly messages: LLMRequest['messages'];
  /** The first question. A quote from it does not count as an answer. */
  readonly prompt: string;
  readonly again: string | undefined;
  readonly countPrompt: (() => Promise<number>) | undefined;
  readonly wire: WireSchema;
  readonly name: string;
  readonly last: boolean;
  readonly reader: Pick<AnswerReader<unknown, unknown>, 'read'>;
}

/** Makes one attempt. With a context, it is a recorded step with a budget reservation. */
async function attempted<Value>(options: AskModelOptions<Value>, asking: Asking): Promise<Attempt> {
  const { context, provider, maxOutputTokens = 1000 } = options;
  const {
    schemaName = 'answer',
    temperature,
    seed,
    cacheHint,
    providerOptions,
    timeoutMs,
  } = options;
  const { system, messages, wire, name } = asking;
  const question = {
    system,
    messages,
    schema: wire.schema,
    schemaName,
    maxOutputTokens: options.maxOutputTokens,
    temperature,
    seed,
  };
  const shown = { ...question, cacheHint, providerOptions };
  const request = { ...shown, criteria: options.criteria };
  const signal = options.signal ?? context?.signal ?? new AbortController().signal;
  if (context === undefined)
    return judged(options, asking, () => callModel(provider, { ...request, signal }));
  const reserved = context.budget.reserve({
    totalTokens: (await tokensOf(options, asking)) + maxOutputTokens,
  });
  try {
    const asked = { provider: provider.id, model: provider.model };
    return await context.step(
      name,
      {
        input: { ...asked, ...shown },
        schema: AttemptSchema,
        ...(timeoutMs !== undefined && { timeoutMs }),
      },
      ({ signal, attempt, key, traceModel }) => {
        // the same key would return the answer that was no use
        const idempotencyKey = attempt === 1 ? key : `${key}-${attempt}`;
        const call = (): Promise<ReliedResult> =>
          callModel(provider, { ...request, signal, idempotencyKey });
        return judged(
          options,
          asking,
          () => traceModel?.({ ...asked, request: question }, call) ?? call(),
        );
      },
    );
  } finally {
    reserved.settle({});
  }
}

async function tokensOf<Value>(
  { tokens = estimatedTokens }: AskModelOptions<Value>,
  { prompt, again, countPrompt }: Asking,
): Promise<number> {
  if (countPrompt === undefined)
    return tokens.count(again === undefined ? prompt : `${prompt}\n${again}`);
  return (await countPrompt()) + (again === undefined ? 0 : await tokens.count(again));
}

/** An unusable last answer is an error. An earlier one is recorded for the next question. */
async function judged<Value>(
  options: AskModelOptions<Value>,
  asking: Asking,
  call: () => Promise<ReliedResult>,
): Promise<Attempt> {
  const { text, object, usage, model, finish, finishReason } = await call();
  options.context?.reportUsage(usage);
  ensureAllRead(options.provider, asking, usage);
  const raw = text === '' && object !== undefined ? JSON.stringify(object) : text;
  try {
    ensureWhole(finish, raw, finishReason);
    const reading =
      object === undefined || text === ''
        ? await readAnswer(raw, asking.prompt, options)
        : await readBoth(text, object, asking.prompt);
    const value = asking.wire.restore(reading.value);
    await asking.reader.read(value, raw);
    return { value, repaired: reading.repaired, raw, usage, model };
  } catch (error) {
    if (error instanceof RangeError)
      throw new ReviewLoopError(modelErrors.answer_unreadable, 'the answer is nested too deeply', {
        cause: error,
      });
    if (asking.last || !(error instanceof ReviewLoopError) || !error.retryable) throw error;
    return { value: null, repaired: false, raw, usage, model, problem: error.what };
  }
}

export async function callModel(provider: LLMProvider, request: LLMRequest): Promise<ReliedResult> {
  ensureAllRead(provider, request);
  let result: unknown;
  // a separate signal: clients of services add listeners to the signal that they receive
  const own = new AbortController();
  linkFaults(own.signal, request.signal);
  const ignore = onAbort(request.signal, () => own.abort(request.signal.reason));
  if (request.signal.aborted) own.abort(request.signal.reason);
  try {
    result = await provider.generate({ ...request, signal: own.signal });
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof ReviewLoopError) throw error;
    throw new ReviewLoopError(
      modelErrors.provider_unavailable,
      `${provider.id} failed: ${messageOf(error)}`,
      { cause: error, retryable: true },
    );
  } finally {
    ignore();
  }
  const parsed = ReliedResultSchema.safeParse(result);
  if (!parsed.success)
    throw new ReviewLoopError(
      modelErrors.provider_malformed,
      `${provider.id} gave a result that was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: result, retryable: true },
    );
  return parsed.data;
}

/** How many characters of an unusable answer the model sees again. */
const answerShown = 2000;

export function reaskText(problem: string, raw: string, prompt: string): string {
  const nonce = promptNonce(prompt, [problem, raw]);
  return [
    `Your answer could not be used: ${truncate(problem, answerShown).text}`,
    raw.trim() === ''
      ? 'It was empty.'
      : `It was:\n${fence('your answer', truncate(raw, answerShown).text, nonce)}`,
    'Answer the question again. Write one complete JSON value of the asked shape, with no words ' +
      'before or after it.',
  ].join('\n\n');
}

const mostProblems = 5;

/** First the schema, then the caller's function. Each answer is read once. */
export class AnswerReader<Data, Value> {
  readonly #schema: z.ZodType<Data>;
  readonly #read: (data: Data) => AnswerReading<Value>;
  #last: { readonly raw: string; readonly value: Value } | undefined;

  constructor(schema: z.ZodType<Data>, read: (data: Data) => AnswerReading<Value>) {
    this.#schema = schema;
    this.#read = read;
  }

  async read(given: unknown, raw: string): Promise<Value> {
    const parsed = await z.safeParseAsync(this.#schema, given);
    if (!parsed.success)
      throw mismatch(`does not match the schema: ${problemsOf(parsed.error)}`, raw, parsed.error);
    const reading = this.#read(parsed.data);
    if ('problem' in reading) throw mismatch(`was refused: ${reading.problem}`, raw);
    this.#last = { raw, value: reading.value };
    return reading.value;
  }

  /** An attempt of an earlier process is read again. */
  async valueOf(recorded: unknown, raw: string): Promise<Value> {
    return this.#last?.raw === raw ? this.#last.value : this.read(recorded, raw);
  }
}

function problemsOf({ issues }: z.ZodError): string {
  const shown = issues
    .slice(0, mostProblems)
    .map(({ path, message }) => (path.length === 0 ? message : `${pathOf(path)}: ${message}`));
  const rest = issues.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
}

function mismatch(why: string, raw: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(modelErrors.answer_mismatch, `the answer ${why}`, {
    ...(cause === undefined ? {} : { cause }),
    value: raw,
    retryable: true,
  });
}
