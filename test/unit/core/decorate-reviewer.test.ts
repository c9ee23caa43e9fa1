import { describe, expect, it } from 'vitest';
import { decorate, deriveContext, keepOrder } from '@/core/decorate-reviewer.js';
import type { Reviewer, ReviewerContext } from '@/core/reviewer.js';
import { fakeReviewerContext, scriptedProvider } from '@/testing/index.js';
import { pass, skip } from '../engine/policies/fixtures.js';

describe('a decorated reviewer', () => {
  const context = fakeReviewerContext();
  const subject = { task: 't', output: 'o', iteration: 1 };
  const base = (more: Partial<Reviewer<string, string>> = {}): Reviewer<string, string> => ({
    id: 'base',
    version: '1',
    tier: 'model',
    reuse: 'run',
    after: ['first'],
    review: async () => [pass('a')],
    ...more,
  });

  it('keeps what is not changed', async () => {
    const reviewer = base();
    const same = decorate(reviewer, { tag: undefined });
    expect(same).toMatchObject({
      id: 'base',
      version: '1',
      tier: 'model',
      reuse: 'run',
      after: ['first'],
    });
    expect([same.scope, same.fix, same.withProvider, same.asks, same.checksFindings]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(await same.review(subject, context)).toEqual([pass('a')]);
    expect(decorate(base({ checksFindings: true }), { tag: 't' }).checksFindings).toBe(true);
    expect(decorate(reviewer, { tag: 't', checksFindings: true }).checksFindings).toBe(true);
  });

  it('has another version for each tag and each version below it', () => {
    const versions = [
      decorate(base(), { tag: 'a' }),
      decorate(base(), { tag: 'b' }),
      decorate(base({ version: '2' }), { tag: 'a' }),
    ].map(({ version }) => version);
    expect(new Set([...versions, '1']).size).toBe(4);
    expect(versions.every((version) => /^[0-9a-f]{16}$/.test(version))).toBe(true);
  });

  it('has another id and tier where it is told, and then no order of the old tier', () => {
    expect(decorate(base(), { tag: 't', id: 'other', tier: 'confirm' })).toMatchObject({
      id: 'other',
      tier: 'confirm',
      after: undefined,
    });
    expect(decorate(base(), { tag: 't', tier: 'model' }).after).toEqual(['first']);
  });

  it('calls the members of the reviewer as its own', async () => {
    const seen: unknown[] = [];
    const reviewer = base({
      scope(this: unknown, given) {
        seen.push(this);
        return given.output;
      },
      fix(this: unknown, output, gap, how) {
        seen.push(this);
        return [output, gap, how];
      },
    });
    const decorated = decorate(reviewer, { tag: 't' });
    expect(decorated.scope?.(subject)).toBe('o');
    expect(decorated.fix?.('o', 'g' as never, 'c' as never)).toEqual(['o', 'g', 'c']);
    expect(seen).toEqual([reviewer, reviewer]);
  });

  it('stays decorated, and keeps its order, when it gets another provider', async () => {
    const provider = scriptedProvider([]);
    const asked: unknown[] = [];
    const reviewer = base({
      withProvider: () => base({ id: 'provided', after: undefined }),
      asks: {
        provider,
        asking: (given, how) => {
          asked.push([given, how]);
          return base({ id: 'asking', after: undefined });
        },
      },
    });
    const decorated = decorate(reviewer, { tag: 't', reply: async () => [skip('replied')] });
    const again = decorated.withProvider?.(provider);
    expect(again).toMatchObject({ id: 'provided', after: ['first'] });
    expect(await again?.review(subject, context)).toEqual([skip('replied')]);
    expect(decorated.asks?.provider).toBe(provider);
    const asking = decorated.asks?.asking(undefined, { whole: true });
    expect(asking).toMatchObject({ id: 'asking', after: ['first'] });
    expect(await asking?.review(subject, context)).toEqual([skip('replied')]);
    expect(asked).toEqual([[undefined, { whole: true }]]);
  });

  it('an order of its own is not replaced', () => {
    const other = base({ after: ['own'] });
    expect(keepOrder({ after: ['first'] }, other)).toBe(other);
    expect(keepOrder({ after: undefined }, base({ after: undefined })).after).toBeUndefined();
    expect(keepOrder({ after: ['first'] }, base({ after: undefined })).after).toEqual(['first']);
  });

  it('replies to the answer that it asks for, in a derived context', async () => {
    const seen: ReviewerContext[] = [];
    const reviewer = base({
      review: async (_, given) => {
        seen.push(given);
        return [pass('a')];
      },
    });
    const decorated = decorate(reviewer, {
      tag: 't',
      context: (given) => deriveContext(given, { nonce: 'other' }),
      reply: async (review) => {
        expect(review).toMatchObject({ reviewer, subject, context });
        return [...((await review.answer()) as never[]), skip('more')];
      },
    });
    expect(await decorated.review(subject, context)).toEqual([pass('a'), skip('more')]);
    expect(seen.map(({ nonce }) => nonce)).toEqual(['other']);
  });

  it('a derived context has every member of the first, but for what changed', () => {
    const names = [
      'signal',
      'step',
      'runId',
      'iteration',
      'reportUsage',
      'budget',
      'previous',
      'best',
      'check',
      'nonce',
      'ask',
      'join',
    ] as const;
    const same = deriveContext(context, {});
    expect(Object.keys(same).sort()).toEqual([...names].sort());
    for (const name of names) {
      expect(same[name], name).toBe(context[name]);
      const mark = { [name]: `new ${name}` } as never;
      expect(deriveContext(context, mark)[name], name).toBe(`new ${name}`);
    }
    expect(
      deriveContext({ ...context, best: { iteration: 1, output: 'o' } }, { best: undefined }).best,
    ).toBeUndefined();
  });

  it('a derived context follows the first one, which may change later', () => {
    const changing = { ...context, runId: 'before' };
    const derived = deriveContext(changing, {});
    changing.runId = 'after';
    expect(derived.runId).toBe('after');
  });
});
