import { isReviewError } from '../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../core/llm-provider.js';
import { checkKeys } from '../core/options.js';
import { type ContractCase, ensure, ensureEqual, thrownBy } from './contract-case.js';

export interface ServedContractOptions {
  /** The key of the provider. Errors must not contain it. @default none */
  readonly secret?: string | undefined;
  /** Features that the protocol does not have. @default [] */
  readonly without?: readonly ServedFeature[] | undefined;
}

/**
 * Returns the test cases that every {@link LLMProvider} of a service must pass. They cover complete
 * and truncated answers, refusals, errors, malformed bodies and silence.
 *
 * @param serve - Starts a fake service with one answer for every question, and creates its
 *   provider.
 * @example
 * ```ts
 * const cases = servedProviderContract(serve, { secret: 'key-123' });
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function servedProviderContract(
  serve: (answer: ServedAnswer) => Promise<ServedProvider>,
  options: ServedContractOptions = {},
): readonly ContractCase[] {
  checkKeys('servedProviderContract', options, ['secret', 'without']);
  const { secret, without = [] } = options;
  return servedCases(secret)
    .filter(({ needs }) => needs === undefined || !without.includes(needs))
    .map(({ name, answer, run }) => ({
      name,
      run: async () => {
        const served = await serve(answer);
        try {
          await run(served);
        } finally {
          await served.close();
        }
      },
    }));
}

export interface ServedCase {
  readonly name: string;
  readonly answer: ServedAnswer;
  readonly needs?: ServedFeature;
  readonly run: (served: ServedProvider) => Promise<void>;
}

const schema = {
  type: 'object',
  properties: { verdict: { type: 'string' } },
  required: ['verdict'],
  additionalProperties: false,
};

const hostile = 'caf\u00e9 \u{1f9ea} \u0628\u0631 \u2028 "quoted" \\ back';

function servedCases(secret: string | undefined): readonly ServedCase[] {
  return [...answerCases, ...statusCases(secret), ...brokenCases];
}

const answerCases: readonly ServedCase[] = [
  {
    name: 'a text answer is complete and has its usage',
    answer: { kind: 'text', text: 'It is fine.', usage: { input: 11, output: 7 } },
    run: async ({ provider }) => {
      const result = await provider.generate(question());
      ensureEqual(
        { text: result.text, finish: result.finish },
        { text: 'It is fine.', finish: 'stop' },
        'the answer',
      );
      if (provider.capabilities.reportsUsage)
        ensureEqual(
          [result.usage.inputTokens, result.usage.outputTokens],
          [11, 7],
          'input and output tokens',
        );
      ensure(
        typeof result.model === 'string' && result.model !== '',
        '`model` must name the model that answered',
      );
    },
  },
  {
    name: 'a structured answer is an object',
    answer: { kind: 'text', text: '{"verdict":"pass"}', usage: { input: 11, output: 7 } },
    run: async ({ provider }) => {
      const result = await provider.generate({ ...question(), schema, schemaName: 'verdict' });
      ensureEqual(result.object, { verdict: 'pass' }, '`object`');
    },
  },
  {
    name: 'a truncated answer is not complete',
    answer: { kind: 'length', text: '{"verdict":"pa' },
    needs: 'length',
    run: async ({ provider }) =>
      ensureResult(await provider.generate({ ...question(), schema }), { finish: 'length' }),
  },
  {
    name: 'an answer that a content filter stopped is not complete',
    answer: { kind: 'content-filter', text: '' },
    needs: 'content-filter',
    run: async ({ provider }) =>
      ensureResult(await provider.generate(question()), { finish: 'content-filter' }),
  },
  {
    name: 'a refusal has its own error code',
    answer: { kind: 'refusal', text: 'I will not judge this.' },
    needs: 'refusal',
    run: async ({ provider }) =>
      ensureFailure(await failureOf(provider, question()), ['answer_refused'], false),
  },
  {
    name: 'an empty answer is returned unchanged, or has its own error code',
    answer: { kind: 'text', text: '', usage: { input: 11, output: 1 } },
    run: async ({ provider }) => {
      const [settled] = await Promise.allSettled([provider.generate(question())]);
      if (settled.status === 'fulfilled') ensureEqual(settled.value.text, '', 'the text');
      else ensureFailure(settled.reason, ['answer_empty'], undefined);
    },
  },
  {
    name: 'usage that the service does not report is unknown, not zero',
    answer: { kind: 'text', text: 'It is fine.' },
    needs: 'unknown-usage',
    run: async ({ provider }) => {
      const { usage } = await provider.generate(question());
      ensureEqual(
        Object.values(usage).filter((value) => value !== undefined),
        [],
        'known numbers',
      );
    },
  },
  {
    name: 'text in any alphabet is unchanged',
    answer: { kind: 'text', text: hostile },
    run: async ({ provider }) =>
      ensureEqual((await provider.generate(question())).text, hostile, 'the text'),
  },
  {
    name: 'null characters are unchanged',
    answer: { kind: 'text', text: 'a\u0000b' },
    run: async ({ provider }) =>
      ensureEqual((await provider.generate(question())).text, 'a\u0000b', 'the text'),
  },
  {
    name: 'an answer of 20 MB is complete, or an error',
    answer: { kind: 'text', text: 'x'.repeat(20_000_000) },
    run: async ({ provider }) => {
      const [settled] = await Promise.allSettled([provider.generate(question())]);
      if (settled.status === 'fulfilled')
        ensure(settled.value.text.length === 20_000_000, 'the text must be complete');
      else ensureFailure(settled.reason, ['provider_malformed'], undefined);
    },
  },
];

function statusCases(secret: string | undefined): readonly ServedCase[] {
  const failing = (name: string, status: number, code: string, retryable: boolean): ServedCase => ({
    name,
    answer: { kind: 'status', status, message: `no: ${secret ?? 'key'}` },
    run: async ({ provider, requests }) => {
      const error = await failureOf(provider, question());
      ensureFailure(error, [code], retryable);
      ensureEqual(requests(), 1, 'how often the service was asked');
      if (secret !== undefined)
        ensure(!told(error).includes(secret), 'the error must not contain the key');
    },
  });
  return [
    failing('status 401 is an error of the key', 401, 'provider_unauthorized', false),
    failing('status 400 is an error of the request', 400, 'provider_refused_request', false),
    failing(
      'status 500 is retryable, and the provider does not retry by itself',
      500,
      'provider_unavailable',
      true,
    ),
    failing('status 429 is a rate limit', 429, 'provider_rate_limited', true),
    {
      name: 'status 429 reports how long to wait',
      answer: { kind: 'status', status: 429, message: 'slow down', retryAfterSeconds: 7 },
      needs: 'retry-after',
      run: async ({ provider }) => {
        const error = await failureOf(provider, question());
        const value: unknown = error instanceof Error && 'value' in error ? error.value : undefined;
        ensureEqual(
          typeof value === 'object' && value !== null && 'retryAfterMs' in value
            ? value.retryAfterMs
            : undefined,
          7000,
          '`value.retryAfterMs`',
        );
      },
    },
  ];
}

const brokenCases: readonly ServedCase[] = [
  {
    name: 'a body that does not follow the protocol is malformed',
    answer: { kind: 'malformed' },
    run: async ({ provider }) =>
      ensureFailure(await failureOf(provider, question()), ['provider_malformed'], undefined),
  },
  {
    name: 'a broken connection is retryable',
    answer: { kind: 'cut' },
    run: async ({ provider }) =>
      ensureFailure(
        await failureOf(provider, question()),
        ['provider_unavailable', 'provider_malformed', 'process_failed'],
        true,
      ),
  },
  {
    name: 'a call to a silent service can be cancelled',
    answer: { kind: 'silence' },
    run: async ({ provider, requests }) => {
      const controller = new AbortController();
      const failure = failureOf(provider, { ...question(), signal: controller.signal });
      while (requests() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      controller.abort();
      ensureFailure(await failure, ['cancelled'], undefined);
    },
  },
];

function question(): LLMRequest {
  return {
    system: 'You judge.',
    messages: [{ role: 'user', content: 'Is it fine?' }],
    signal: new AbortController().signal,
  };
}

function failureOf(provider: LLMProvider, request: LLMRequest): Promise<unknown> {
  return thrownBy(() => provider.generate(request), 'the call');
}

function ensureResult(result: LLMResult, { finish }: Pick<LLMResult, 'finish'>): void {
  ensureEqual(result.finish, finish, '`finish`');
}

function ensureFailure(
  error: unknown,
  codes: readonly string[],
  retryable: boolean | undefined,
): void {
  ensure(isReviewError(error), `expected an error of this library, got ${String(error)}`);
  ensure(
    codes.includes(error.code),
    `expected the code ${codes.join(' or ')}, got ${error.code}: ${error.message}`,
  );
  if (retryable !== undefined) ensureEqual(error.retryable, retryable, '`retryable`');
}

function told(error: unknown): string {
  return error instanceof Error
    ? JSON.stringify([
        error.message,
        error.stack,
        'value' in error ? error.value : undefined,
        told(error.cause),
      ])
    : String(error);
}

export type ServedAnswer =
  | {
      readonly kind: 'text' | 'length' | 'content-filter' | 'refusal';
      readonly text: string;
      readonly usage?: { readonly input: number; readonly output: number } | undefined;
    }
  /** An HTTP error. `message` may contain the key of the caller, as with some services. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message: string;
      readonly retryAfterSeconds?: number | undefined;
    }
  /**
   * A body that does not follow the protocol, a connection that ends during an answer, or no
   * answer.
   */
  | { readonly kind: 'malformed' | 'cut' | 'silence' };

interface ServedProvider {
  readonly provider: LLMProvider;
  /** Returns the number of requests to the fake service. */
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

/** Features that some protocols do not have. */
export type ServedFeature =
  | 'length'
  | 'content-filter'
  | 'refusal'
  | 'retry-after'
  | 'unknown-usage';
