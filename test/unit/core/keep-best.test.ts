import { describe, expect, it } from 'vitest';
import { decorate, deriveContext, keepOrder } from '../../../src/core/decorate-reviewer.js';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { lastFault, linkFaults, noteFault, timeoutAfter } from '../../../src/core/last-fault.js';
import { mayAsk } from '../../../src/core/policy.js';
import { keepBest, protection, turnedFromPass } from '../../../src/core/ranking.js';
import type { Reviewer, ReviewerContext } from '../../../src/core/reviewer.js';
import { scoreBelow, scoreText } from '../../../src/core/score-text.js';
import { checkedWeights, scoresOf, specifiedScores } from '../../../src/core/scores.js';
import { fakeReviewerContext, scriptedProvider } from '../../../src/testing/index.js';
import { err, fail, findingOf, pass, skip } from '../policies/fixtures.js';

describe('keepBest', () => {
  const wins = keepBest();

  it('a higher score wins where the worst gap is as severe, and a tie keeps the incumbent', () => {
    const [low, high] = [findingOf([fail('a', {}, 0.2)]), findingOf([fail('a', {}, 0.3)])];
    expect([wins(high, low), wins(low, high), wins(low, low)]).toEqual([true, false, false]);
  });

  it('a less severe worst gap wins over any score', () => {
    const of = (severity: 'critical' | 'major' | 'minor', score: number, standing?: 'waived') =>
      findingOf([fail('a', { severity, standing }, score)]);
    expect(wins(of('major', 0), of('critical', 0.9))).toBe(true);
    expect(wins(of('critical', 0.9), of('major', 0))).toBe(false);
    expect(wins(of('minor', 0), of('major', 0.9))).toBe(true);
    expect(wins(findingOf([pass('a', 0.1)]), of('minor', 0.9))).toBe(true);
    expect(wins(of('minor', 0.9), findingOf([pass('a', 0.1)]))).toBe(false);
    expect(wins(of('critical', 0.1, 'waived'), of('minor', 0.9))).toBe(true);
  });

  it('a version that was judged by less does not win', () => {
    const before = findingOf([pass('a', 0.1), pass('b', 0.1)]);
    expect(wins(findingOf([pass('a')]), before)).toBe(false);
    expect(wins(findingOf([pass('a'), skip('b')]), before)).toBe(false);
    expect(wins(findingOf([pass('a'), err('b')]), before)).toBe(false);
    expect(wins(findingOf([pass('a'), pass('b')]), findingOf([pass('a', 0.1), skip('b')]))).toBe(
      true,
    );
  });

  it('only what both were judged by counts, where one has more', () => {
    const before = findingOf([pass('a', 0.5)]);
    expect(wins(findingOf([pass('a', 0.6), pass('b', 0.1)]), before)).toBe(true);
    expect(wins(findingOf([pass('a', 0.4), pass('b', 1)]), before)).toBe(false);
    expect(wins(findingOf([pass('a', 0.5), pass('b', 1)]), before)).toBe(false);
  });

  it('a gap counts only where both were asked: a failed check by code hides what models would find [R2-104]', () => {
    const hidden = findingOf([fail('code', { severity: 'major' }, 0), skip('model')]);
    const seen = findingOf([pass('code'), fail('model', { severity: 'critical' }, 0)]);
    expect([wins(seen, hidden), wins(hidden, seen)]).toEqual([true, false]);
    const both = findingOf([pass('code'), fail('model', { severity: 'major' }, 0)]);
    expect([wins(both, seen), wins(seen, both)]).toEqual([true, false]);
  });

  it('a version stays the best where nothing was scored in both, and 0 is more than unknown', () => {
    const none = findingOf([]);
    expect([wins(findingOf([pass('a', 0.001)]), none), wins(none, none)]).toEqual([false, false]);
    const zero = { ...none, scores: { ...none.scores, overall: 0 } };
    expect([wins(zero, none), wins(none, zero)]).toEqual([true, false]);
  });

  it('asks nobody, and names its options', () => {
    expect(mayAsk(wins)).toBe(false);
    expect(() => keepBest({ x: 1 } as object)).toThrow(
      'keepBest has no option `x`; it has protect',
    );
  });

  it('protects ids, or what a function says', () => {
    expect(['a', 'b'].map(protection(['a']))).toEqual([true, false]);
    expect(['a', 'b'].map(protection((id) => id === 'b'))).toEqual([false, true]);
    expect(['a'].map(protection(undefined))).toEqual([false]);
    for (const wrong of ['a', [1], ['a', 1], {}])
      expect(() => protection(wrong as never)).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          message: expect.stringContaining('`protect`'),
        }),
      );
  });

  it('a criterion turned from pass where it passed before, is protected and does not pass now', () => {
    const before = findingOf([pass('a'), pass('b'), fail('c'), pass('d')]);
    const after = findingOf([pass('a'), fail('b'), fail('c')]);
    expect(turnedFromPass(before, after, () => true)).toEqual(['b', 'd']);
    expect(turnedFromPass(before, after, (id) => id === 'd')).toEqual(['d']);
    expect(
      keepBest({ protect: ['b'] })(
        findingOf([pass('a'), fail('b', { severity: 'minor' })]),
        findingOf([fail('a'), pass('b')]),
      ),
    ).toBe(false);
  });
});

describe('scores', () => {
  it('weights are numbers from 0, one of them above 0', () => {
    expect(checkedWeights({})).toEqual({ quality: 0.4, completeness: 0.4, correctness: 0.2 });
    expect(checkedWeights({ quality: 0, completeness: 0, correctness: 1 })).toEqual({
      quality: 0,
      completeness: 0,
      correctness: 1,
    });
    expect(checkedWeights({ quality: 1, completeness: 1, correctness: 2 })).toMatchObject({
      quality: 1,
    });
    for (const name of ['quality', 'completeness', 'correctness'])
      for (const weight of [-1, Number.NaN, Infinity, '1'])
        expect(() => checkedWeights({ [name]: weight })).toThrow(`\`weights.${name}\``);
    expect(() => checkedWeights({ quality: 0, completeness: 0, correctness: 0 })).toThrow(
      '`weights`',
    );
    expect(() => checkedWeights({ x: 1 } as object)).toThrow(
      'weights has no option `x`; it has quality, completeness, correctness',
    );
  });

  it('a comparison and an unanswered requirement are counted, and change no score', () => {
    const compared = {
      ...pass('pairwise', 0.1),
      comparison: { with: 1, result: 'worse', flipped: false },
    } as never;
    const open = {
      verdict: 'undecided',
      criterion: 'requirement:1',
      reason: 'r',
      decidableBy: [],
    } as never;
    expect(scoresOf([pass('a', 0.5), compared, open])).toMatchObject({
      quality: 0.5,
      completeness: null,
      overall: null,
      soFar: { completeness: null },
      judged: 1,
      total: 3,
      criteria: { met: 1, judged: 1, total: 1 },
      requirements: { met: 0, judged: 0, total: 1 },
    });
    expect(scoresOf([pass('requirement:1'), fail('requirement:2'), open])).toMatchObject({
      completeness: null,
      soFar: { completeness: 0.5 },
      requirements: { met: 1, judged: 2, total: 3 },
    });
    expect(scoresOf([open])).toMatchObject({ overall: null, quality: null, completeness: null });
  });

  it('weights change the overall score, and unknown parts are left out', () => {
    expect(
      scoresOf([pass('a', 0.5)], { quality: 1, completeness: 0, correctness: 0 }).overall,
    ).toBe(0.5);
    expect(
      scoresOf([pass('a', 0.5)], { quality: 0, completeness: 1, correctness: 1 }).overall,
    ).toBe(1);
    expect(scoresOf([pass('a', 0.5), err('requirement:1')])).toMatchObject({
      overall: null,
      soFar: { completeness: null, overall: 0.666666666667 },
    });
    expect(
      scoresOf([pass('a', 0.5), err('requirement:1')], {
        quality: 0,
        completeness: 1,
        correctness: 0,
      }).overall,
    ).toBeNull();
  });

  it('incorrect findings count as correctness', () => {
    const wrong = { ...fail('a', {}, 0.5), category: 'incorrect' } as never;
    const right = { ...pass('b'), category: 'incorrect' } as never;
    expect(scoresOf([wrong, right]).correctness).toBe(0.5);
    expect(scoresOf([pass('b')]).correctness).toBeNull();
  });

  it('the self-review loop takes 1 for what does not exist, and 0 for what nobody judged', () => {
    expect(specifiedScores(scoresOf([]))).toMatchObject({
      quality: 1,
      completeness: 1,
      correctness: 1,
      overall: 1,
    });
    expect(specifiedScores(scoresOf([err('a'), err('requirement:1')]))).toMatchObject({
      quality: 0,
      completeness: 0,
      overall: 0,
    });
    expect(specifiedScores(scoresOf([pass('a', 0.5)]))).toMatchObject({
      quality: 0.5,
      completeness: 1,
    });
  });

  it('are rounded to two decimals for people, and to more where the bar would look reached', () => {
    expect([0.7996, 0.29, 0.9999, 1, 0, null].map(scoreText)).toEqual([
      '0.80',
      '0.29',
      '0.99',
      '1.00',
      '0.00',
      'unknown',
    ]);
    expect(scoreBelow('score', 0.5, 0.8)).toBe('score 0.50 is below 0.80');
    expect(scoreBelow('score', 0.7996, 0.8)).toBe('score 0.7996 is below 0.8000');
    expect(scoreBelow('score', 0.8001, 0.8002)).toBe('score 0.8001 is below 0.8002');
  });
});

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

describe('the last fault of a call', () => {
  const fault = new ReviewLoopError('timeout', 'the first try failed');

  it('is known by its signal and by those around it', () => {
    const [inner, middle, outer, other] = Array.from(
      { length: 4 },
      () => new AbortController().signal,
    );
    linkFaults(inner!, middle!);
    linkFaults(middle!, outer!);
    linkFaults(outer!, outer!);
    noteFault(inner!, fault);
    expect([inner, middle, outer, other, undefined].map(lastFault)).toEqual([
      fault,
      fault,
      fault,
      undefined,
      undefined,
    ]);
  });

  it('is the cause of the timeout that it led to', () => {
    const late = timeoutAfter('timeout', 'no answer', fault);
    expect(late).toMatchObject({ code: 'timeout', retryable: true, cause: fault });
    expect(late.message).toContain('no answer; before that: the first try failed');
    const bare = timeoutAfter('timeout', 'no answer', undefined);
    expect(bare).toMatchObject({ retryable: true, what: 'no answer' });
    expect(Object.hasOwn(bare, 'cause')).toBe(false);
  });
});
