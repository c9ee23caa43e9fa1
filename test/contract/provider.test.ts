import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it } from 'vitest';
import { aiSdkProvider } from '@/adapters/providers/ai-sdk/ai-sdk-provider.js';
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
import { models } from '../support/ai-sdk-models.mjs';
import {
  anthropicProtocol,
  chatProtocol,
  modelServer,
  ollamaProtocol,
  type Protocol,
  responsesProtocol,
} from '../support/model-server.js';
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
  readonly protocol: Protocol;
  readonly make: (url: string) => LLMProvider;
  readonly without?: readonly ServedFeature[];
  readonly keyless?: boolean;
  /** What aimock has no word for in this protocol. */
  readonly unmocked?: readonly ServedFeature[];
}

const protocols = {
  chat: chatProtocol,
  responses: responsesProtocol,
  anthropic: anthropicProtocol,
};

const adapters: Readonly<Record<string, Adapter>> = {
  'openaiProvider, chat': {
    protocol: chatProtocol,
    make: (url) => openaiProvider({ model, apiKey: secret, baseURL: `${url}/v1` }),
    unmocked: ['refusal', 'unknown-usage'],
  },
  'openaiProvider, responses': {
    protocol: responsesProtocol,
    make: (url) =>
      openaiProvider({ model, apiKey: secret, baseURL: `${url}/v1`, api: 'responses' }),
    unmocked: ['length', 'content-filter', 'refusal', 'unknown-usage'],
  },
  anthropicProvider: {
    protocol: anthropicProtocol,
    make: (url) => anthropicProvider({ model, apiKey: secret, baseURL: url }),
    without: ['content-filter'],
    unmocked: ['content-filter', 'refusal', 'unknown-usage'],
  },
  ollamaProvider: {
    protocol: ollamaProtocol,
    keyless: true,
    make: (url) => ollamaProvider({ model, baseURL: url }),
    without: ['content-filter', 'refusal'],
    unmocked: ['length', 'content-filter', 'refusal', 'unknown-usage'],
  },
  ...Object.fromEntries(
    Object.entries(models).map(([name, { protocol, make }]) => [
      `aiSdkProvider, ${name}`,
      {
        protocol: protocols[protocol],
        make: (url: string) => aiSdkProvider(make(url, secret, model), { secrets: [secret] }),
        ...(protocol === 'anthropic' ? { without: ['content-filter' as const] } : {}),
      },
    ]),
  ),
};

describe.each(Object.entries(adapters))(
  '%s keeps the contract of served providers',
  (_, { protocol, make, without, keyless = false }) => {
    const contract = servedProviderContract(
      async (answer) => {
        const server = await modelServer(protocol, answer);
        return {
          provider: make(server.url),
          requests: () => server.seen.length,
          close: server.close,
        };
      },
      { secret: keyless ? undefined : secret, without },
    );
    for (const { name, run } of contract) it(name, run);
  },
);

describe.each(Object.entries(adapters))(
  '%s keeps the contract of providers',
  (_, { protocol, make }) => {
    for (const { name, run } of providerContract(() => make('http://127.0.0.1:9'))) {
      if (name.includes('answers') || name.includes('does not change') || name.includes('serves'))
        continue;
      it(name, run);
    }
    it('answers questions, side by side, and leaves them as they are', async () => {
      const server = await modelServer(protocol, { kind: 'text', text: 'hello' });
      try {
        for (const { run } of providerContract(() => make(server.url))) await run();
      } finally {
        await server.close();
      }
    });
  },
);

/** What aimock does not play, as it counts a call only when it has answered, and what takes seconds and is shown over our own servers. */
const unplayed: readonly string[] = [
  'a call to a silent service can be cancelled',
  'an answer of 20 MB is complete, or an error',
];
/** In the protocol of Ollama it tells none. */
const withoutUsage = 'a text answer is complete and has its usage';

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

describe.each(Object.entries(adapters).filter(([, { unmocked }]) => unmocked))(
  '%s keeps the contract over aimock',
  (_, { make, unmocked, keyless = false }) => {
    const contract = servedProviderContract(
      async (answer) => {
        const mock = await mockOf(answer);
        return {
          provider: make(mock.url),
          requests: () => mock.getRequests().length,
          close: () => mock.stop(),
        };
      },
      { secret: keyless ? undefined : secret, without: unmocked },
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

it('servedProviderContract finds a provider that takes half an answer for a whole one, hides refusals, and tells the key', async () => {
  const honest = adapters['openaiProvider, chat'];
  const broken = servedProviderContract(
    async (answer) => {
      const server = await modelServer(chatProtocol, answer);
      const inner = honest?.make(server.url);
      const provider: LLMProvider = {
        id: 'broken',
        capabilities: {
          structured: 'strict',
          schemaSubset: 'openai',
          streaming: false,
          reportsUsage: true,
          reportsCost: false,
        },
        generate: async (request) => {
          const result = await inner?.generate(request).catch((error: unknown) => {
            if (String(error).includes('refused:')) return undefined;
            throw new Error(`failed with ${secret}`);
          });
          return {
            text: '',
            usage: { inputTokens: 0 },
            model: 'm',
            warnings: [],
            attempts: 1,
            ...result,
            finish: 'stop',
          };
        },
      };
      return { provider, requests: () => server.seen.length, close: server.close };
    },
    { secret },
  );
  const results = await Promise.allSettled(broken.map(({ run }) => run()));
  const failed = broken
    .filter((_, index) => results[index]?.status === 'rejected')
    .map(({ name }) => name);
  expect(failed).toEqual(
    expect.arrayContaining([
      'a truncated answer is not complete',
      'a refusal has its own error code',
      'status 401 is an error of the key',
      'a broken connection is retryable',
    ]),
  );
});
