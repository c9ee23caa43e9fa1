import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import { digestOf } from '../../core/json.js';
import type { LLMRequest } from '../../core/llm-provider.js';
import { addUsage, type Usage, UsageSchema } from '../../core/usage.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { modelErrors } from '../errors.js';
import { type AskModelOptions, checkAskOptions, type ModelAnswer } from './ask-options.js';
import { callModel } from './call-model.js';
import { isDegenerate } from './degenerate.js';
import { readAnswer } from './read-answer.js';
import { reaskText } from './reask-prompt.js';
import { toWireSchema, type WireSchema } from './wire-schema.js';

/** One attempt as it is recorded: an answer, or what is wrong with it. */
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

/**
 * Asks a model for one value of a certain shape. An answer that is cut off, refused, filtered, empty, endless, ambiguous or of
 * another shape is a typed error with the raw answer in `value`, never a guess: nothing is clamped, and nothing is read out of
 * half an answer.
 *
 * @throws ReviewLoopError `answer_...`, `provider_...`, `schema_unsupported`, `invalid_options`, `budget_exceeded`
 * @example
 * ```ts
 * const { value } = await askModel({ provider, prompt: 'Is the sky blue?', schema: z.object({ blue: z.boolean() }) });
 * ```
 */
export function askModel<Value>(options: AskModelOptions<Value>): Promise<ModelAnswer<Value>> {
  return askCounted(options, undefined);
}

/** The same for who can tell how many tokens the question has without counting all of it again. */
export async function askCounted<Value>(
  options: AskModelOptions<Value>,
  countPrompt: (() => Promise<number>) | undefined,
): Promise<ModelAnswer<Value>> {
  checkAskOptions(options);
  const { provider, schema, system, reasks = 1, schemaName = 'answer' } = options;
  const wire = toWireSchema(schema, provider.capabilities.schemaSubset);
  const asked = options.messages ?? [{ role: 'user' as const, content: options.prompt ?? '' }];
  const prompt = [system ?? '', ...asked.map(({ content }) => content)].join('\n');
  const nonce = hashText(prompt).slice(0, 32);
  let usage: Usage = {};
  let problem: Attempt | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const again = problem && reaskText(problem.problem ?? '', problem.raw, nonce);
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
    });
    usage = addUsage(usage, attempt.usage);
    if (attempt.problem === undefined) {
      const { raw, repaired, model } = attempt;
      return {
        value: await checkedValue(attempt.value, options, raw),
        raw,
        usage,
        repaired,
        attempts,
        model,
      };
    }
    problem = attempt;
  }
}

interface Asking {
  readonly system: string | undefined;
  readonly messages: LLMRequest['messages'];
  /** The question as it was asked first; what is quoted from it is no answer. */
  readonly prompt: string;
  /** What is said of an answer that could not be used, where there was one. */
  readonly again: string | undefined;
  readonly countPrompt: (() => Promise<number>) | undefined;
  readonly wire: WireSchema;
  readonly name: string;
  /** Whether a bad answer ends the matter. */
  readonly last: boolean;
}

/** One call: a recorded step with a reservation of budget where there is a context. */
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
  const request = {
    system,
    messages,
    schema: wire.schema,
    schemaName,
    maxOutputTokens: options.maxOutputTokens,
    temperature,
    seed,
    cacheHint,
    providerOptions,
  };
  const signal = options.signal ?? context?.signal ?? new AbortController().signal;
  if (context === undefined) return judged(options, asking, { ...request, signal });
  const reserved = context.budget.reserve({
    totalTokens: (await tokensOf(options, asking)) + maxOutputTokens,
  });
  try {
    const input = { provider: provider.id, model: provider.model, ...request };
    return await context.step(
      name,
      { input, schema: AttemptSchema, ...(timeoutMs !== undefined && { timeoutMs }) },
      (step) =>
        judged(options, asking, {
          ...request,
          signal: step.signal,
          idempotencyKey: step.attempt === 1 ? step.key : `${step.key}-${step.attempt}`,
        }),
    );
  } finally {
    reserved.settle({});
  }
}

/** What is reserved for the question. */
async function tokensOf<Value>(
  { tokens = estimatedTokens }: AskModelOptions<Value>,
  { prompt, again, countPrompt }: Asking,
): Promise<number> {
  if (countPrompt === undefined)
    return tokens.count(again === undefined ? prompt : `${prompt}\n${again}`);
  return (await countPrompt()) + (again === undefined ? 0 : await tokens.count(again));
}

/** Makes the call and reads its answer. A bad answer is an error when it is the last one, else it is recorded for the next question. */
async function judged<Value>(
  options: AskModelOptions<Value>,
  asking: Asking,
  request: LLMRequest,
): Promise<Attempt> {
  const { text, object, usage, model, finish } = await callModel(options.provider, request);
  options.context?.reportUsage(usage);
  const raw = text === '' && object !== undefined ? JSON.stringify(object) : text;
  try {
    ensureWhole(finish, raw);
    const reading =
      object === undefined || isText(text, object)
        ? await readAnswer(raw, { schema: asking.wire.schema, prompt: asking.prompt })
        : { value: object, repaired: false };
    const value = asking.wire.restore(reading.value);
    await checkedValue(value, options, raw);
    return { value, repaired: reading.repaired, raw, usage, model };
  } catch (error) {
    if (asking.last || !(error instanceof ReviewLoopError) || !error.retryable) throw error;
    return { value: null, repaired: false, raw, usage, model, problem: error.what };
  }
}

/** Whether an object is what the text says, so that reading the text shows more: members that are given twice, quoted material. */
function isText(text: string, object: unknown): boolean {
  try {
    return digestOf(JSON.parse(text)) === digestOf(object);
  } catch {
    return false;
  }
}

/** @throws ReviewLoopError Unless the answer ended by itself. */
function ensureWhole(finish: string, raw: string): void {
  const value = { value: raw };
  if (finish === 'length')
    throw new ReviewLoopError(modelErrors.answer_truncated, 'the answer was cut off', value);
  if (finish === 'content-filter')
    throw new ReviewLoopError(
      modelErrors.answer_filtered,
      'the answer was stopped by a filter',
      value,
    );
  if (finish === 'error')
    throw new ReviewLoopError(
      modelErrors.provider_malformed,
      'the service ended the answer with an error',
      {
        ...value,
        retryable: true,
      },
    );
  if (finish !== 'stop')
    throw new ReviewLoopError(modelErrors.answer_unreadable, `the answer ended with ${finish}`, {
      ...value,
      retryable: true,
    });
  if (isDegenerate(raw))
    throw new ReviewLoopError(
      modelErrors.answer_degenerate,
      'the answer repeats itself without end',
      {
        ...value,
        retryable: true,
      },
    );
}

async function checkedValue<Value>(
  value: unknown,
  { schema, check }: AskModelOptions<Value>,
  raw: string,
): Promise<Value> {
  const parsed = await z.safeParseAsync(schema, value);
  if (!parsed.success)
    throw new ReviewLoopError(
      modelErrors.answer_mismatch,
      `the answer was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: raw, retryable: true },
    );
  const problem = check?.(parsed.data);
  if (problem !== undefined)
    throw new ReviewLoopError(modelErrors.answer_mismatch, `the answer was refused: ${problem}`, {
      value: raw,
      retryable: true,
    });
  return parsed.data;
}
