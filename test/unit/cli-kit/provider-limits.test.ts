import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providerLimits } from '../../../src/cli-kit/provider/provider-limits.js';
import { loadConfig } from '../../../src/config/load-config.js';
import type { LLMRequest } from '../../../src/core/llm-provider.js';
import { rateLimit, spendingLimit } from '../../../src/model/index.js';
import { scriptedProvider } from '../../../src/testing/index.js';

const request: LLMRequest = {
  messages: [{ role: 'user', content: 'Is it fine?' }],
  signal: new AbortController().signal,
};
const provider = scriptedProvider(() => 'fine', { id: 'openai:m' });
const prices = { 'openai:m': { inputPerMillion: 1, outputPerMillion: 2 } };

function shared() {
  const asked: object[] = [];
  return {
    asked,
    rateLimit: ({ key, ...options }: { readonly key: string }) => {
      asked.push({ key, ...options });
      return rateLimit(options);
    },
    spendingLimit: ({ key, ...options }: { readonly key: string; readonly usdPerDay: number }) => {
      asked.push({ key, ...options });
      return spendingLimit(options);
    },
  };
}

describe('the limits of the configuration', () => {
  it('are shared by name and provider over a store that can share them', async () => {
    const store = shared();
    const limits = { key: 'team', requestsPerMinute: 50, usdPerDay: 5, timeZone: 'UTC', prices };
    const limited = providerLimits(limits, store)(provider);
    expect(store.asked).toEqual([
      { key: 'team', usdPerDay: 5, timeZone: 'UTC' },
      { key: 'team: openai:m', requestsPerMinute: 50 },
    ]);
    expect(await limited.generate(request)).toMatchObject({ text: 'fine' });
  });

  it('are not shared unless somebody named one', () => {
    const store = shared();
    providerLimits(undefined, store)(provider);
    providerLimits({ key: 'team' }, store)(provider);
    expect(store.asked).toEqual([]);
  });

  it('refuse money a day without a store that counts for all commands', () => {
    expect(() => providerLimits({ usdPerDay: 5, prices })).toThrow(
      /limits.usdPerDay requires --store postgres:/,
    );
  });

  it('refuse money a day without the prices of the provider', () => {
    expect(() => providerLimits({ usdPerDay: 5 }, shared())(provider)).toThrow(
      /limits.usdPerDay requires the prices of openai:m: add them to limits.prices/,
    );
  });

  it.each([
    ['{ "limits": { "requestsPerMinute": 0 } }', /requestsPerMinute/],
    ['{ "limits": { "perMinute": 5 } }', /perMinute/],
    ['{ "limits": { "prices": { "openai:m": { "inputPerMillion": 1 } } } }', /outputPerMillion/],
  ])('are checked when the file is read: %s', async (text, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'reviewloop-limits-'));
    writeFileSync(join(folder, 'reviewloop.config.json'), text);
    await expect(loadConfig(folder, join(folder, 'reviewloop.config.json'))).rejects.toThrow(
      message,
    );
  });
});
