import type * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest } from '../../../core/llm-provider.js';
import {
  call,
  checkAge,
  checkPositive,
  checkSchema,
  checkTable,
  elsewhere,
  flag,
  givenOf,
  invalid,
  type OptionTable,
  shaped,
  whole,
} from '../../../core/options.js';
import type { StepContext } from '../../../core/step.js';
import type { Usage } from '../../../core/usage.js';
import { portTable } from '../../../ports/port-table.js';
import type { TokenCounter } from '../../../ports/token-counter.js';

/** Options of `askModel`. */
export interface AskModelOptions<Data>
  extends Pick<
    LLMRequest,
    | 'system'
    | 'maxOutputTokens'
    | 'temperature'
    | 'seed'
    | 'cacheHint'
    | 'criteria'
    | 'providerOptions'
  > {
  /** The model to ask. */
  readonly provider: LLMProvider;
  /** The question. Set either `prompt` or `messages`. @default none */
  readonly prompt?: string | undefined;
  /** A conversation, instead of `prompt`. @default none */
  readonly messages?: LLMRequest['messages'] | undefined;
  /** The zod schema of the answer. */
  readonly schema: z.ZodType<Data>;
  /**
   * The name of the answer for the service, and of the recorded step: up to 64 letters, digits,
   * `_`, `-`.
   *
   * @default 'answer'
   */
  readonly schemaName?: string | undefined;
  /** How often the model is asked again if its answer is unusable; from 0. @default 1 */
  readonly reasks?: number | undefined;
  /**
   * Whether text that is almost JSON is repaired, if the repair changes syntax only. Never set it
   * for a verdict.
   *
   * @default false
   */
  readonly repair?: boolean | undefined;
  /**
   * The context of a reviewer, `produce` or `address`. Calls become recorded steps, usage is
   * reported, and budget is reserved.
   *
   * @default none: the call is not recorded
   */
  readonly context?: Pick<StepContext, 'step' | 'signal' | 'reportUsage' | 'budget'> | undefined;
  /**
   * The timeout of one call in milliseconds, counted from when it has its slot. Only with
   * `context`.
   *
   * @default the timeout of the context
   */
  readonly timeoutMs?: number | undefined;
  /** Cancels the calls. @default the signal of the context */
  readonly signal?: AbortSignal | undefined;
  /** Counts the tokens to reserve. @default an estimate */
  readonly tokens?: TokenCounter | undefined;
}

/** The next question contains the problem. */
export type AnswerReading<Value> = { readonly value: Value } | { readonly problem: string };

/** Options of `askModel` with a function that reads the answer. */
export interface ReadModelOptions<Data, Value> extends AskModelOptions<Data> {
  /** Reads an answer that matches the schema. Called once for each answer. */
  readonly read: (data: Data) => AnswerReading<Value>;
}

/** A checked answer. */
export interface ModelAnswer<Value> {
  readonly value: Value;
  /** What the model wrote. */
  readonly raw: string;
  /** What all attempts used. */
  readonly usage: Usage;
  readonly repaired: boolean;
  /** How often the model was asked. */
  readonly attempts: number;
  /** The model that answered. */
  readonly model: string;
}

interface CallOptions
  extends Partial<Pick<AskModelOptions<never>, 'provider'>>,
    Pick<AskModelOptions<never>, 'reasks' | 'temperature' | 'seed' | 'tokens' | 'timeoutMs'>,
    Pick<AskModelOptions<never>, 'maxOutputTokens' | 'providerOptions'> {
  readonly maxPromptTokens?: number | undefined;
}

const callTable: OptionTable<CallOptions> = {
  ...{ provider: portTable.provider, reasks: whole(0), temperature: checkAge },
  ...{ seed: elsewhere<number>(), tokens: elsewhere(), providerOptions: elsewhere() },
  ...{ maxOutputTokens: checkPositive, maxPromptTokens: checkPositive, timeoutMs: checkPositive },
};

export const callOptionNames = Object.keys(callTable) as readonly (keyof CallOptions)[];

/**
 * @param own - An {@link OptionTable} of the block's own options.
 * @param without - The call options that the block does not have.
 */
export function checkCallOptions(
  block: string,
  options: object,
  own: object,
  without: readonly (keyof CallOptions)[] = [],
): void {
  const names = callOptionNames.filter((name) => !without.includes(name));
  checkTable(block, { ...own, ...givenOf(callTable, names) }, options);
}

const askTable = {
  ...{ prompt: elsewhere(), messages: elsewhere(), system: elsewhere(), schema: elsewhere() },
  schemaName: shaped('up to 64 letters, digits, `_` and `-`', /^[\w-]{1,64}$/),
  ...{
    read: call,
    repair: flag,
    context: elsewhere(),
    signal: elsewhere(),
    cacheHint: elsewhere(),
  },
  criteria: elsewhere(),
};

export function checkAskOptions<Data>(
  options: AskModelOptions<Data> & { readonly read?: unknown },
): void {
  checkCallOptions('askModel', options, askTable, ['maxPromptTokens']);
  const { provider, prompt, messages, schema } = options;
  checkProvider(provider);
  checkQuestion(prompt, messages);
  checkSchema('schema', schema);
}

function checkQuestion(prompt: unknown, messages: unknown): void {
  if ((prompt === undefined) === (messages === undefined))
    throw invalid('prompt', 'a text, or else `messages`', prompt ?? messages);
  if (prompt !== undefined && typeof prompt !== 'string') throw invalid('prompt', 'a text', prompt);
  if (messages !== undefined && (!Array.isArray(messages) || messages.length === 0))
    throw invalid('messages', 'a list that is not empty', messages);
}

export function checkProvider(provider: LLMProvider | undefined): asserts provider is LLMProvider {
  if (provider === undefined)
    throw new ReviewLoopError('provider_missing', 'no provider is configured');
  if (typeof provider?.generate !== 'function' || typeof provider.id !== 'string')
    throw invalid('provider', 'an LLMProvider with an id and a `generate` function', provider);
}
