import { describe, expect, it } from 'vitest';
import type { LLMProvider } from '@/core/llm-provider.js';
import { hang, providerContract, readingJudge, scriptedProvider } from '@/testing/index.js';
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
