import { describe, expect, it } from 'vitest';
import { addUsage, readUsage, tokensOf, UsageSchema } from '@/core/usage.js';

describe('usage', () => {
  it('what is unknown stays unknown, and is never zero', () => {
    expect(tokensOf({})).toBeUndefined();
    expect(tokensOf({ costUsd: 1 })).toBeUndefined();
    expect(addUsage({}, {})).toEqual({});
    expect(addUsage({ costUsd: 1 }, {})).toEqual({ costUsd: 1 });
  });

  it('counts the total where it is given, else input and output', () => {
    expect(tokensOf({ inputTokens: 3, outputTokens: 4, totalTokens: 9 })).toBe(9);
    expect(tokensOf({ inputTokens: 3, outputTokens: 4 })).toBe(7);
    expect(tokensOf({ outputTokens: 4 })).toBe(4);
  });

  it('adds every number, and the totals of both', () => {
    expect(
      addUsage(
        { inputTokens: 1, costUsd: 0.5 },
        { inputTokens: 2, outputTokens: 3, costUsd: 0.25 },
      ),
    ).toEqual({ inputTokens: 3, outputTokens: 3, costUsd: 0.75, totalTokens: 6 });
    expect(addUsage({ totalTokens: 10 }, { inputTokens: 2 })).toMatchObject({ totalTokens: 12 });
  });

  it('reads the form of the AI SDK, and refuses what it would not count [R2-062]', () => {
    const sdk = {
      inputTokens: 10,
      inputTokenDetails: { noCacheTokens: 4, cacheReadTokens: 6, cacheWriteTokens: undefined },
      outputTokens: 5,
      outputTokenDetails: { textTokens: 5, reasoningTokens: 0 },
      totalTokens: 15,
      reasoningTokens: 0,
      raw: { anything: 1 },
    };
    const read = {
      ...{ inputTokens: 10, cachedInputTokens: 6, outputTokens: 5, totalTokens: 15 },
      reasoningTokens: 0,
    };
    expect(readUsage(sdk)).toEqual(read);
    expect(readUsage({ ...read, costUsd: undefined })).toEqual(read);
    for (const unknown of [{ promptTokens: 4 }, { inputTokens: { total: 4 } }, null, 7])
      expect(() => readUsage(unknown)).toThrow(/the usage is invalid/);
  });

  it('leaves what it adds as it is', () => {
    const usage = Object.freeze({ inputTokens: 1 });
    addUsage(usage, usage);
    expect(usage).toEqual({ inputTokens: 1 });
  });

  it.each([
    { inputTokens: -1 },
    { costUsd: Number.NaN },
    { totalTokens: Number.POSITIVE_INFINITY },
    { outputTokens: '5' },
  ])('refuses %s', (usage) => {
    expect(UsageSchema.safeParse(usage).success).toBe(false);
  });
});
