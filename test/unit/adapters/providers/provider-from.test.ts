import { describe, expect, it } from 'vitest';
import { findProvider, providerFrom } from '@/adapters/providers/index.js';
import { expectCode } from '../../../support/matchers.js';

describe('providerFrom', () => {
  it('makes each provider by its name', async () => {
    const ids = await Promise.all(
      [
        'openai:gpt-5.5',
        'anthropic:claude-sonnet-5-5',
        'ollama:qwen3:8b',
        'cli:claude',
        'cli:codex:gpt-5.5',
      ].map(async (name) => (await providerFrom(name)).id),
    );
    expect(ids).toEqual([
      'openai:gpt-5.5',
      'anthropic:claude-sonnet-5-5',
      'ollama:qwen3:8b',
      'cli:claude',
      'cli:codex:gpt-5.5',
    ]);
    expect((await providerFrom('openai:m', { baseUrl: 'http://127.0.0.1:9/v1' })).id).toBe(
      'openai:m@127.0.0.1:9',
    );
  });

  it('lists the names for one it does not know', async () => {
    for (const name of ['gemini:x', 'openai', 'cli:vim', '', 'auto'])
      await expect(providerFrom(name)).rejects.toThrow(/openai:MODEL/);
    await expect(providerFrom('ollama:m', { apiKey: 'k' })).rejects.toThrow(/apiKey/);
    await expect(providerFrom('cli:claude', { baseUrl: 'http://x' })).rejects.toThrow(/omitted/);
    await expect(providerFrom('openai:m', { baseUrl: 'nowhere' })).rejects.toThrow(/baseURL/);
  });
});

describe('findProvider', () => {
  it('chooses by the key that is set, and says so', async () => {
    const { provider, because } = await findProvider({
      model: 'm',
      env: { ANTHROPIC_API_KEY: 'k' },
    });
    expect([provider.id, because]).toEqual(['anthropic:m', 'ANTHROPIC_API_KEY is set']);
    expect((await findProvider({ model: 'm', env: {} })).provider.id).toBe('ollama:m');
  });

  it('does not choose between several keys', async () => {
    await expect(
      findProvider({ model: 'm', env: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' } }),
    ).rejects.toThrow(/several vendors/);
    await expectCode(findProvider({ model: '', env: {} }), 'provider_missing');
  });
});
