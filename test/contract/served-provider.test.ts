import { describe, expect, it } from 'vitest';
import { aiSdkProvider } from '@/adapters/providers/ai-sdk/ai-sdk-provider.js';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import { providerContract, servedProviderContract } from '@/testing/index.js';
import type { ServedFeature } from '@/testing/served-provider-contract.js';
import { models } from '../support/ai-sdk-models.mjs';
import {
  anthropicProtocol,
  chatProtocol,
  modelServer,
  ollamaProtocol,
  type Protocol,
  responsesProtocol,
} from '../support/model-server.js';

const secret = 'test-key-0123456789abcdef';
const model = 'asked-model';

interface Adapter {
  readonly protocol: Protocol;
  readonly make: (url: string) => LLMProvider;
  readonly without?: readonly ServedFeature[];
  readonly keyless?: boolean;
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
  },
  'openaiProvider, responses': {
    protocol: responsesProtocol,
    make: (url) =>
      openaiProvider({ model, apiKey: secret, baseURL: `${url}/v1`, api: 'responses' }),
  },
  anthropicProvider: {
    protocol: anthropicProtocol,
    make: (url) => anthropicProvider({ model, apiKey: secret, baseURL: url }),
    without: ['content-filter'],
  },
  ollamaProvider: {
    protocol: ollamaProtocol,
    keyless: true,
    make: (url) => ollamaProvider({ model, baseURL: url }),
    without: ['content-filter', 'refusal'],
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
