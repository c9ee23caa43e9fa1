import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it } from 'vitest';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import {
  hang,
  providerContract,
  readingJudge,
  scriptedProvider,
  servedProviderContract,
} from '@/testing/index.js';
import type { ServedAnswer, ServedFeature } from '@/testing/served-provider-contract.js';
import { faultsOf } from './faults.js';

const providers: Readonly<Record<string, () => LLMProvider>> = {
  scriptedProvider: () => scriptedProvider(() => 'hello'),
  readingJudge: () => readingJudge({ 'a.html': () => true }),
};

describe.each(Object.entries(providers))(
  '%s keeps the contract of providers',
  (_, makeProvider) => {
    for (const { name, run } of providerContract(makeProvider)) it(name, run);
  },
);

describe('providerContract finds providers that break it', () => {
  const brokenCases = async (makeProvider: () => LLMProvider): Promise<string[]> => {
    return [...(await faultsOf(providerContract(makeProvider)))];
  };

  it('one without capabilities, in words [R3-098]', async () => {
    const without = async () =>
      ({ ...scriptedProvider(() => ''), capabilities: undefined }) as never;
    expect((await brokenCases(without as never)).join('\n')).toContain('needs `capabilities`');
  });

  it.each([
    ['usage below zero', { usage: { inputTokens: -1 } }, /usage/],
    ['no attempts', { attempts: 0 }, /attempts/],
    ['no model', { model: '' }, /model/],
  ])('one that answers %s', async (_, result, message) => {
    expect((await brokenCases(() => scriptedProvider(() => result))).join('\n')).toMatch(message);
  });

  it('one that ignores an aborted signal', async () => {
    const provider = scriptedProvider(() => 'hello');
    const deaf: LLMProvider = {
      ...provider,
      generate: (request) =>
        provider.generate({ ...request, signal: new AbortController().signal }),
    };
    expect((await brokenCases(() => deaf)).join('\n')).toMatch(
      /aborted signal: expected a rejection/,
    );
  });

  it('none of those that only hang until aborted, but for the answers they owe', async () => {
    const aborts = providerContract(() => scriptedProvider(() => hang)).filter(({ name }) =>
      name.includes('abort'),
    );
    for (const { run } of aborts) await run();
    expect(aborts.length).toBe(2);
  });
});

const secret = 'test-key-0123456789abcdef';
const model = 'asked-model';

interface Adapter {
  readonly make: (url: string) => LLMProvider;
  /** What aimock has no word for in this protocol. */
  readonly without: readonly ServedFeature[];
  readonly keyless?: boolean;
}

/** What aimock does not play, as it counts a call only when it has answered, and what takes seconds and is shown over our own servers. */
const unplayed: readonly string[] = [
  'a call to a silent service can be cancelled',
  'an answer of 20 MB is complete, or an error',
];
/** In the protocol of Ollama it tells none. */
const withoutUsage = 'a text answer is complete and has its usage';

const adapters: Readonly<Record<string, Adapter>> = {
  'openaiProvider, chat': {
    make: (url) => openaiProvider({ model, apiKey: secret, baseURL: `${url}/v1` }),
    without: ['refusal', 'unknown-usage'],
  },
  'openaiProvider, responses': {
    make: (url) =>
      openaiProvider({ model, apiKey: secret, baseURL: `${url}/v1`, api: 'responses' }),
    without: ['length', 'content-filter', 'refusal', 'unknown-usage'],
  },
  anthropicProvider: {
    make: (url) => anthropicProvider({ model, apiKey: secret, baseURL: url }),
    without: ['content-filter', 'refusal', 'unknown-usage'],
  },
  ollamaProvider: {
    make: (url) => ollamaProvider({ model, baseURL: url }),
    keyless: true,
    without: ['length', 'content-filter', 'refusal', 'unknown-usage'],
  },
};

/** Starts aimock, which gives one answer to every question. */
async function mockOf(answer: ServedAnswer): Promise<LLMock> {
  const mock = new LLMock({ port: 0 });
  switch (answer.kind) {
    case 'status':
      mock.onMessage(/[\s\S]*/, {
        error: { message: answer.message },
        status: answer.status,
        ...(answer.retryAfterSeconds === undefined ? {} : { retryAfter: answer.retryAfterSeconds }),
      });
      break;
    case 'malformed':
      mock.onMessage(/[\s\S]*/, { content: 'x' }, { chaos: { malformedRate: 1 } });
      break;
    case 'cut':
      mock.onMessage(/[\s\S]*/, { content: 'x' }, { chaos: { disconnectRate: 1 } });
      break;
    case 'silence':
      throw new Error('not played');
    default:
      mock.onMessage(/[\s\S]*/, contentOf(answer));
  }
  await mock.start();
  return mock;
}

function contentOf({ kind, text, usage }: Extract<ServedAnswer, { text: string }>): {
  content: string;
  finishReason?: string;
  usage?: Record<string, number>;
} {
  const finishes: Partial<Record<typeof kind, string>> = {
    length: 'length',
    'content-filter': 'content_filter',
  };
  const finishReason = finishes[kind];
  const told = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    input_tokens: usage.input,
    output_tokens: usage.output,
    prompt_eval_count: usage.input,
    eval_count: usage.output,
  };
  return { content: text, ...(finishReason && { finishReason }), ...(told && { usage: told }) };
}

describe.each(Object.entries(adapters))(
  '%s keeps the contract over aimock',
  (_, { make, without, keyless = false }) => {
    const contract = servedProviderContract(
      async (answer) => {
        const mock = await mockOf(answer);
        return {
          provider: make(mock.url),
          requests: () => mock.getRequests().length,
          close: () => mock.stop(),
        };
      },
      { secret: keyless ? undefined : secret, without },
    );
    for (const { name, run } of contract)
      if (!unplayed.includes(name) && !(keyless && name === withoutUsage)) it(name, run);

    it('answers questions, side by side, and leaves them as they are', async () => {
      const mock = await mockOf({ kind: 'text', text: 'hello' });
      try {
        for (const { run } of providerContract(() => make(mock.url))) await run();
      } finally {
        await mock.stop();
      }
    });
  },
);
