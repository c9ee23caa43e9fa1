import { describe, expect, it } from 'vitest';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { Assessment } from '@/core/assessment.js';
import type { Policy } from '@/core/policy.js';
import { noProgress } from '@/engine/policies/no-progress.js';
import { thresholds } from '@/engine/policies/thresholds.js';
import { err, evidenceAfter, evidenceOf, fail, gone, pass, skip } from './fixtures.js';

/** What the policy makes of the last of these rounds, when the ones before were revised. */
function decide(
  rounds: readonly (readonly Assessment[])[],
  policy: Policy = noProgress(),
): ReturnType<Policy> {
  return policy(evidenceAfter(rounds, thresholds()));
}

describe('noProgress', () => {
  it('passes on every decision but a revision', () => {
    expect(noProgress()(evidenceOf([pass('a')]))).toMatchObject({ kind: 'approve' });
    expect(noProgress()(evidenceOf([err('a')]))).toMatchObject({ status: 'inconclusive' });
    expect(noProgress(() => undefined)(evidenceOf([pass('a')]))).toBeUndefined();
  });

  it('lets a gap be tried twice, then stops', () => {
    const round = [pass('a'), fail('b')];
    expect(decide([round])).toMatchObject({ kind: 'revise' });
    expect(decide([round, round])).toMatchObject({ kind: 'revise' });
    expect(decide([round, round, round])).toMatchObject({
      kind: 'stop',
      status: 'stalled',
      code: 'gap_unfixed',
      reason: expect.stringContaining('2 times'),
    });
  });

  it('lets it be tried as often as it is told', () => {
    const round = [fail('b')];
    expect(decide([round, round], noProgress(thresholds(), { unfixed: 1 }))).toMatchObject({
      status: 'stalled',
    });
    expect(decide([round, round, round], noProgress(thresholds(), { unfixed: 3 }))).toMatchObject({
      kind: 'revise',
    });
  });

  it('counts no attempt whose criterion gave no answer [R3-027]', () => {
    const once = noProgress(thresholds({ quality: 0.9 }), { unfixed: 1 });
    const low = [pass('a', 0.1)];
    expect(decide([low, low], once)).toMatchObject({ code: 'gap_unfixed' });
    for (const none of [skip('a'), gone('a')])
      expect(decide([low, [none, pass('c', 0.1)]], once)).toMatchObject({ kind: 'revise' });
  });

  it("goes on while the score of the gap's criterion gets better", () => {
    expect(
      decide([
        [fail('b', {}, 0.1)],
        [fail('b', {}, 0.2)],
        [fail('b', {}, 0.3)],
        [fail('b', {}, 0.4)],
      ]),
    ).toMatchObject({ kind: 'revise' });
  });

  it('goes on while gaps are closed, even if as many new ones appear: counts are no reason to stop', () => {
    const rounds = ['one', 'two', 'three', 'four'].map((id) => [fail('b', { id })]);
    expect(decide(rounds)).toMatchObject({ kind: 'revise' });
  });

  it('stops where attempts broke more than they repaired', () => {
    const rounds = [
      [fail('a'), pass('b'), pass('c')],
      [fail('a', {}, 0.1), fail('b'), fail('c')],
      [fail('a', {}, 0.2), fail('b'), fail('c')],
    ];
    expect(decide(rounds)).toMatchObject({ kind: 'stop', status: 'stalled', code: 'harmful' });
  });

  it('counts a repair against what was broken', () => {
    const rounds = [
      [fail('a'), fail('b'), pass('c')],
      [pass('a'), fail('b'), fail('c', { id: 'c1' })],
      [pass('a'), pass('b'), fail('c', { id: 'c2' })],
    ];
    expect(decide(rounds)).toMatchObject({ kind: 'revise' });
  });

  it('measures an attempt against the version that it was made from, also where the ranking keeps another than the highest', async () => {
    const scores = [0.6, 0.2, 0.3, 0.4];
    const outcome = await definePipeline<string, number>({
      produce: async () => 0,
      address: async (round) => round + 1,
      ranking: () => true,
      budget: { reviews: 4 },
      criteria: { b: (round) => ({ passed: false, score: scores[round]!, details: 'not yet' }) },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'iterations' });
    expect(outcome.reviews.map(({ parent }) => parent)).toEqual([
      undefined,
      ...outcome.reviews.slice(0, 3).map(({ version }) => version),
    ]);
  });
});
