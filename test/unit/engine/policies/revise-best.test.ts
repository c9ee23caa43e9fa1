import { describe, expect, it } from 'vitest';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import type { Assessment } from '@/core/assessment.js';
import type { Policy } from '@/core/policy.js';
import { allPass } from '@/engine/policies/all-pass.js';
import { repairLedger } from '@/engine/policies/attempts.js';
import { doNoHarm } from '@/engine/policies/do-no-harm.js';
import { escalateOver } from '@/engine/policies/escalate-over.js';
import { disputedOnly, reviseBest } from '@/engine/policies/evidence.js';
import { holdProtected } from '@/engine/policies/guards.js';
import { noProgress } from '@/engine/policies/no-progress.js';
import { preferred } from '@/engine/policies/preferred.js';
import { bestOf, refineOrResample } from '@/engine/policies/sampling.js';
import { blockingFloor, severityByIteration } from '@/engine/policies/severity-by-iteration.js';
import { thresholds } from '@/engine/policies/thresholds.js';
import {
  err,
  evidenceAfter,
  evidenceOf,
  fail,
  gapOf,
  gone,
  pass,
  reviewOf,
  skip,
} from './fixtures.js';

const nothing = () => false;
const revised = (assessments: readonly Assessment[], changes = {}) => ({
  ...reviewOf(assessments, changes),
  decision: { kind: 'revise', reason: '', from: 'best', blocking: [gapOf()] } as const,
});

describe('a revision', () => {
  it('works on the lowest score where no gap is open, and says what the judge said', () => {
    const low = { ...pass('low', 0.2), explanation: 'too short' } as Assessment;
    expect(reviseBest(evidenceOf([pass('high', 0.4), low]), nothing, 'reason')).toEqual({
      kind: 'revise',
      reason: 'reason',
      from: 'best',
      blocking: [
        {
          id: 'score:low',
          severity: 'minor',
          category: 'quality',
          description: 'low scores 0.20: too short',
          suggestedFix: 'Improve low',
          estimatedEffort: 'medium',
          autoFixable: true,
          criterionId: 'low',
          lifecycle: 'new',
        },
      ],
    });
  });

  it('says the score alone where the judge explained nothing', () => {
    expect(reviseBest(evidenceOf([pass('low', 0.2)]), nothing, 'reason')).toMatchObject({
      blocking: [{ description: 'low scores 0.20' }],
    });
  });

  it('works on the criteria that the policy calls low, and on the whole where none of them has a score', () => {
    const evidence = evidenceOf([pass('low', 0.2), pass('other', 0.6), skip('none')]);
    expect(reviseBest(evidence, nothing, '', new Set(['other']))).toMatchObject({
      blocking: [{ id: 'score:other' }],
    });
    expect(reviseBest(evidence, nothing, '', new Set(['none']))).toMatchObject({
      blocking: [
        { id: 'score:overall', criterionId: 'overall', description: 'overall scores 0.76' },
      ],
    });
  });

  it('works on open gaps that do not block before it calls a score low', () => {
    const minor = fail('a', { severity: 'minor' });
    expect(reviseBest(evidenceOf([minor]), nothing, '')).toMatchObject({
      kind: 'revise',
      from: 'best',
      blocking: [{ id: 'g-a' }],
    });
    const forPeople = fail('a', { severity: 'minor', autoFixable: false });
    expect(reviseBest(evidenceOf([forPeople]), nothing, '')).toMatchObject({
      blocking: [{ id: 'score:a' }],
    });
  });

  it('a disputed gap that would block stops work on the others, one of several is enough', () => {
    const disputed = (id: string, severity: 'minor' | 'critical') =>
      fail(id, { standing: 'disputed', severity });
    const critical = ({ severity }: { severity: string }) => severity === 'critical';
    const evidence = evidenceOf([
      fail('a', { severity: 'minor' }),
      disputed('b', 'minor'),
      disputed('c', 'critical'),
    ]);
    expect(reviseBest(evidence, critical, '')).toMatchObject({
      kind: 'stop',
      status: 'escalated',
      code: 'disputed',
    });
  });

  it('a gap of a judgement that passed is not disputed over', () => {
    const remark = { ...pass('a'), gaps: [gapOf({ standing: 'disputed' })] } as Assessment;
    expect(disputedOnly(evidenceOf([remark]), () => true)).toBeUndefined();
  });

  it('dissent blocks for the judges that confirm, not for the others', () => {
    const dissent = fail('a', { standing: 'disputed', severity: 'minor', raisedBy: 'a' });
    const of = (tier: 'model' | 'confirm') => ({
      ...evidenceOf([dissent]),
      judges: [{ id: 'a', version: '1', tier }],
    });
    expect(disputedOnly(of('model'), nothing)).toBeUndefined();
    expect(disputedOnly(of('confirm'), nothing)).toMatchObject({
      status: 'escalated',
      code: 'disputed',
    });
  });
});

describe('allPass', () => {
  const undecided = { verdict: 'undecided', criterion: 'u', reason: 'cannot tell' } as Assessment;

  it('is inconclusive over open questions where nothing failed, and revises where something did', () => {
    expect(allPass()(evidenceOf([pass('a'), undecided]))).toMatchObject({ code: 'undecided' });
    expect(allPass()(evidenceOf([fail('a'), undecided]))).toMatchObject({ kind: 'revise' });
  });

  it('works on gaps of the whole output, and on those of a better version that passes there', () => {
    const whole = {
      ...pass('a'),
      gaps: [gapOf({ id: 'whole', criterionId: undefined })],
    } as Assessment;
    expect(allPass()(evidenceOf([whole, fail('b')]))).toMatchObject({
      blocking: [{ id: 'whole' }, { id: 'g-b' }],
    });
    const best = reviewOf([fail('a'), pass('b')]);
    const review = reviewOf([pass('a'), fail('b')]);
    expect(allPass()(evidenceOf([], { review, best }))).toMatchObject({
      blocking: [{ id: 'g-a' }],
    });
  });
});

describe('escalateOver', () => {
  it('has no opinion where a judge failed, nor on a score that is unknown or reaches the bar', () => {
    const policy = escalateOver({ score: 0.5, critical: 0 });
    const critical = fail('a', { severity: 'critical' });
    const failed = evidenceOf([
      critical,
      { verdict: 'errored', criterion: 'e', error: new Error() } as never,
    ]);
    expect(policy(failed)).toBeUndefined();
    expect(policy(evidenceOf([pass('a', 0.5)]))).toBeUndefined();
    const review = reviewOf([pass('a')], {
      scores: { ...reviewOf([pass('a')]).scores, overall: null },
    });
    expect(policy(evidenceOf([], { review }))).toBeUndefined();
  });

  it('names both limits where both are exceeded', () => {
    const policy = escalateOver({ score: 0.9, critical: 0 });
    expect(policy(evidenceOf([fail('a', { severity: 'critical' })]))).toMatchObject({
      code: 'critical_gaps',
      reason: '1 critical gap, more than 0, overall score 0.60 is below 0.90 in iteration 1',
    });
  });
});

it('thresholds names each bar that was missed', () => {
  expect(thresholds()(evidenceOf([fail('a'), fail('b')]))).toMatchObject({
    reason: '2 critical or major gaps, overall score 0.60 is below 0.80',
  });
});

describe('severityByIteration', () => {
  it('a disputed gap is no reason to stop while another one blocks', () => {
    const disputed = fail('a', { standing: 'disputed' });
    expect(severityByIteration()(evidenceOf([disputed, fail('b')]))).toMatchObject({
      kind: 'revise',
      blocking: [{ id: 'g-b' }],
    });
  });

  it('goes by the last row that began, or blocks on all before the first', () => {
    expect(blockingFloor([{ from: 1, blocks: 'critical' }], 1)).toBe('critical');
    expect(blockingFloor([{ from: 2, blocks: 'critical' }], 1)).toBe('minor');
  });
});

describe('doNoHarm', () => {
  const ledger = { attempts: 2, failing: 4, repaired: 2, passing: 4, broken: 2 };

  it('a criterion that was not judged is no part of the accuracy', () => {
    const policy = doNoHarm(thresholds(), { earlier: [ledger] });
    expect(policy(evidenceOf([pass('a'), fail('b'), skip('c')]))).toMatchObject({
      code: 'harmful',
    });
  });

  it('lets a new first output be produced, which repairs nothing', () => {
    const policy = doNoHarm(bestOf(3, thresholds()), { earlier: [ledger] });
    expect(policy(evidenceOf([pass('a'), fail('b')]))).toMatchObject({ from: 'anew' });
  });

  it('stops where nothing that failed was ever repaired', () => {
    const none = { ...ledger, failing: 0, repaired: 0 };
    expect(
      doNoHarm(thresholds(), { earlier: [none] })(evidenceOf([pass('a'), fail('b')])),
    ).toMatchObject({ code: 'harmful' });
  });

  it('takes the best earlier review as the base of a version of unknown parent, the first of equals', () => {
    const better = revised([pass('a'), pass('b'), fail('c')], { version: 'v1' });
    const equal = revised([pass('b'), pass('c'), fail('a')], { version: 'v2' });
    const worse = revised([fail('a'), fail('b'), fail('c')], { version: 'v3' });
    const unscored = revised([], { version: 'v4' });
    const last = revised([pass('a'), pass('b'), pass('c')], { version: 'v5' });
    const { failing, repaired, passing } = repairLedger([unscored, better, equal, worse, last]);
    // better: nothing was known of its base; equal: 1 failed of `better`, and so on
    expect({ failing, repaired, passing }).toEqual({ failing: 3, repaired: 2, passing: 6 });
  });

  it('an attempt whose judge failed counts neither as a repair nor as a failure', () => {
    const errored = { verdict: 'errored', criterion: 'a', error: new Error('late') } as never;
    expect(repairLedger([revised([fail('a')]), revised([errored])])).toMatchObject({
      attempts: 1,
      failing: 0,
    });
  });
});

describe('noProgress, by gap and attempt', () => {
  const decided = (rounds: readonly (readonly Assessment[])[], unfixed: number) =>
    noProgress(thresholds(), { unfixed })(evidenceAfter(rounds, thresholds()));

  it('one attempt that broke something is not yet a reason to stop', () => {
    const rounds = [
      [fail('a'), pass('b')],
      [pass('a', 0), fail('b'), fail('c')],
    ];
    expect(decided(rounds, 2)).toMatchObject({ kind: 'revise' });
  });

  it('goes on where an attempt left fewer gaps of the criterion, and stops where it left as many', () => {
    const gaps = (...ids: string[]) =>
      ({ ...fail('a'), gaps: ids.map((id) => gapOf({ id, criterionId: 'a' })) }) as Assessment;
    expect(decided([[gaps('x', 'y')], [gaps('x')]], 1)).toMatchObject({ kind: 'revise' });
    expect(decided([[gaps('x', 'y')], [gaps('x', 'z')]], 1)).toMatchObject({ code: 'gap_unfixed' });
    expect(decided([[gaps('x', 'y'), fail('b')], [gaps('x', 'z')]], 1)).toMatchObject({
      code: 'gap_unfixed',
    });
  });

  it('a better score of another criterion is no progress on the gap', () => {
    const rounds = [
      [pass('b', 0.1), fail('a')],
      [pass('b', 0.9), fail('a')],
    ];
    expect(decided(rounds, 1)).toMatchObject({ code: 'gap_unfixed' });
  });

  it('an attempt for another gap does not count against this one', () => {
    const critical = (id: string) => fail(id, { severity: 'critical' });
    const minor = fail('b', { severity: 'minor' });
    const rounds = [
      [critical('a'), minor],
      [pass('a'), fail('b')],
    ];
    expect(decided(rounds, 1)).toMatchObject({ kind: 'revise' });
  });

  it('counts no round before a new first output', () => {
    const round = [pass('b'), fail('a')];
    const evidence = evidenceAfter([round, round], bestOf(9, thresholds()));
    expect(noProgress(thresholds(), { unfixed: 1 })(evidence)).toMatchObject({ kind: 'revise' });
  });
});

describe('refineOrResample', () => {
  it('leaves an end alone that is not a stall', () => {
    const escalated = () =>
      ({ kind: 'stop', status: 'escalated', code: 'unfixable', reason: 'r' }) as const;
    expect(refineOrResample(escalated)(evidenceOf([fail('a')]))).toMatchObject({
      code: 'unfixable',
    });
  });

  it('judges each sample by its own rounds, the last new output first', () => {
    const seen: number[] = [];
    const counting = refineOrResample((evidence) => {
      seen.push(evidence.history.length);
      return thresholds()(evidence);
    });
    const round = [pass('b'), fail('a')];
    const refined = evidenceAfter([round, round, round], thresholds());
    counting(refined);
    const anew = {
      ...refined.history[0]!,
      decision: { ...refined.history[0]!.decision, from: 'anew' },
    };
    counting({ ...refined, history: [anew as never, refined.history[1]!] });
    counting({ ...refined, history: [refined.history[1]!, anew as never] });
    expect(seen).toEqual([2, 1, 0]);
  });
});

describe('holdProtected', () => {
  it('works on any open gap of the best version, whatever its severity', () => {
    const best = reviewOf([pass('safe'), fail('style', { severity: 'minor' })]);
    const approve = () => ({ kind: 'approve', reason: 'r' }) as const;
    expect(holdProtected(approve, ['safe'])(evidenceOf([fail('safe')], { best }))).toMatchObject({
      kind: 'revise',
      blocking: [{ id: 'g-style' }],
    });
  });

  it('leaves a revision alone, also where a protected criterion broke', () => {
    const best = reviewOf([pass('safe')]);
    const evidence = evidenceOf([fail('safe')], { best });
    const revise = () =>
      ({ kind: 'revise', reason: 'mine', from: 'best', blocking: [gapOf()] }) as const;
    expect(holdProtected(revise, ['safe'])(evidence)).toMatchObject({ reason: 'mine' });
  });

  it('stops where this very version is the best', () => {
    const review = reviewOf([fail('safe')]);
    const history = [revised([pass('safe')])];
    const approve = () => ({ kind: 'approve', reason: 'r' }) as const;
    expect(
      holdProtected(approve, ['safe'])(evidenceOf([], { review, best: review, history })),
    ).toMatchObject({ kind: 'stop', status: 'stalled', code: 'protected_broken' });
  });
});

describe('preferred', () => {
  const compared = (result: 'better' | 'worse' | 'tie', criterion = 'pairwise') =>
    ({ ...pass(criterion), comparison: { with: 1, result } }) as unknown as Assessment;
  const incumbent = reviewOf([pass('safe'), fail('a')]);

  it('the challenger wins only where the comparison calls it better', () => {
    expect(preferred()(reviewOf([compared('better')]), incumbent)).toBe(true);
    expect(preferred()(reviewOf([compared('worse')]), incumbent)).toBe(false);
    expect(preferred()(reviewOf([compared('tie')]), incumbent)).toBe(false);
  });

  it('goes by the criterion that it is told, not by another', () => {
    const otherwise = () => true;
    const challenger = reviewOf([compared('worse', 'x'), compared('better', 'y')]);
    expect(preferred({ by: 'y', otherwise: () => false })(challenger, incumbent)).toBe(true);
    expect(preferred({ by: 'x', otherwise })(challenger, incumbent)).toBe(false);
    expect(preferred({ otherwise })(challenger, incumbent)).toBe(true);
  });

  it('a preferred version must still pass what is protected', () => {
    const broken = reviewOf([compared('better'), fail('safe')]);
    expect(preferred({ protect: ['safe'] })(broken, incumbent)).toBe(false);
    expect(preferred({ protect: ['other'] })(broken, incumbent)).toBe(true);
  });

  it('ranks otherwise where the comparison was with another version, or failed', () => {
    const other = { ...incumbent, iteration: 7 };
    expect(preferred({ otherwise: () => false })(reviewOf([compared('better')]), other)).toBe(
      false,
    );
    const errored = {
      verdict: 'errored',
      criterion: 'pairwise',
      error: new Error('late'),
    } as never;
    expect(preferred({ otherwise: () => true })(reviewOf([errored]), incumbent)).toBe(true);
    expect(preferred({ protect: ['safe'] })(reviewOf([pass('a'), fail('safe')]), incumbent)).toBe(
      false,
    );
  });
});

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
