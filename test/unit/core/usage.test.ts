import { describe, expect, it } from 'vitest';
import { addUsage, tokensOf, UsageSchema, usageSince } from '../../../src/core/usage.js';

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

  it('tells what was added since an earlier count', () => {
    const before = { inputTokens: 3, costUsd: 0.5 };
    const more = { inputTokens: 4, outputTokens: 5 };
    expect(usageSince(before, addUsage(before, more))).toMatchObject(more);
    expect(usageSince(before, before)).toEqual({});
    expect(usageSince({}, { inputTokens: 0 })).toEqual({ inputTokens: 0 });
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
