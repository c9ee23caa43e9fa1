import { describe, expect, it } from 'vitest';
import { mayAsk } from '@/core/policy.js';
import { keepBest, protection, turnedFromPass } from '@/core/ranking.js';
import { errorWith } from '../../support/matchers.js';
import { err, fail, pass, reviewOf, skip } from '../engine/policies/fixtures.js';

describe('keepBest', () => {
  const wins = keepBest();

  it('a higher score wins where the worst gap is as severe, and a tie keeps the incumbent', () => {
    const [low, high] = [reviewOf([fail('a', {}, 0.2)]), reviewOf([fail('a', {}, 0.3)])];
    expect([wins(high, low), wins(low, high), wins(low, low)]).toEqual([true, false, false]);
  });

  it('a less severe worst gap wins over any score', () => {
    const of = (severity: 'critical' | 'major' | 'minor', score: number, standing?: 'waived') =>
      reviewOf([fail('a', { severity, standing }, score)]);
    expect(wins(of('major', 0), of('critical', 0.9))).toBe(true);
    expect(wins(of('critical', 0.9), of('major', 0))).toBe(false);
    expect(wins(of('minor', 0), of('major', 0.9))).toBe(true);
    expect(wins(reviewOf([pass('a', 0.1)]), of('minor', 0.9))).toBe(true);
    expect(wins(of('minor', 0.9), reviewOf([pass('a', 0.1)]))).toBe(false);
    expect(wins(of('critical', 0.1, 'waived'), of('minor', 0.9))).toBe(true);
  });

  it('a version that was judged by less does not win', () => {
    const before = reviewOf([pass('a', 0.1), pass('b', 0.1)]);
    expect(wins(reviewOf([pass('a')]), before)).toBe(false);
    expect(wins(reviewOf([pass('a'), skip('b')]), before)).toBe(false);
    expect(wins(reviewOf([pass('a'), err('b')]), before)).toBe(false);
    expect(wins(reviewOf([pass('a'), pass('b')]), reviewOf([pass('a', 0.1), skip('b')]))).toBe(
      true,
    );
  });

  it('only what both were judged by counts, where one has more', () => {
    const before = reviewOf([pass('a', 0.5)]);
    expect(wins(reviewOf([pass('a', 0.6), pass('b', 0.1)]), before)).toBe(true);
    expect(wins(reviewOf([pass('a', 0.4), pass('b', 1)]), before)).toBe(false);
    expect(wins(reviewOf([pass('a', 0.5), pass('b', 1)]), before)).toBe(false);
  });

  it('a gap counts only where both were asked: a failed check by code hides what models would find [R2-104]', () => {
    const hidden = reviewOf([fail('code', { severity: 'major' }, 0), skip('model')]);
    const seen = reviewOf([pass('code'), fail('model', { severity: 'critical' }, 0)]);
    expect([wins(seen, hidden), wins(hidden, seen)]).toEqual([true, false]);
    const both = reviewOf([pass('code'), fail('model', { severity: 'major' }, 0)]);
    expect([wins(both, seen), wins(seen, both)]).toEqual([true, false]);
  });

  it('a version stays the best where nothing was scored in both, and 0 is more than unknown', () => {
    const none = reviewOf([]);
    expect([wins(reviewOf([pass('a', 0.001)]), none), wins(none, none)]).toEqual([false, false]);
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
        expect.objectContaining(errorWith('invalid_options', '`protect`')),
      );
  });

  it('a criterion turned from pass where it passed before, is protected and does not pass now', () => {
    const before = reviewOf([pass('a'), pass('b'), fail('c'), pass('d')]);
    const after = reviewOf([pass('a'), fail('b'), fail('c')]);
    expect(turnedFromPass(before, after, () => true)).toEqual(['b', 'd']);
    expect(turnedFromPass(before, after, (id) => id === 'd')).toEqual(['d']);
    expect(
      keepBest({ protect: ['b'] })(
        reviewOf([pass('a'), fail('b', { severity: 'minor' })]),
        reviewOf([fail('a'), pass('b')]),
      ),
    ).toBe(false);
  });
});
