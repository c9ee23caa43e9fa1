import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type JudgeVote,
  type RiskModel,
  riskOf,
  riskOfTexts,
  withinRisk,
} from '@/calibration/index.js';
import { normalQuantile } from '@/calibration/normal-distribution.js';
import { seededRandom } from '@/calibration/seeded-random.js';
import { voteLikelihood } from '@/calibration/vote-likelihood.js';
import type { Assessment } from '@/core/assessment.js';
import { allPass } from '@/policies/all-pass.js';
import { evidenceOf, fail, findingOf, pass } from '../policies/fixtures.js';

fc.configureGlobal({ seed: 42, numRuns: 60 });

const model: RiskModel = {
  rates: {},
  otherwise: { tpr: 0.9, tnr: 0.7 },
  betweenJudges: 0.44,
  withinJudge: 0.7,
  prior: 0.15,
  fix: 0.7,
  damage: 0.1,
};
const judges = ['a', 'b', 'c'];
const passes = (count: number, judgeIds = judges): JudgeVote[] =>
  Array.from({ length: count }, (_, index) => ({
    judge: judgeIds[index % judgeIds.length] ?? 'a',
    passed: true,
  }));
const riskAfter = (votes: readonly JudgeVote[], changes: Partial<RiskModel> = {}): number =>
  riskOfTexts([{ id: 't', versions: [{ votes }] }], { ...model, ...changes }).risk;
const named = (criterion: string, votes: readonly JudgeVote[]): Assessment => {
  const failed = votes.some(({ passed }) => !passed);
  const counts = {
    pass: votes.filter(({ passed }) => passed).length,
    fail: votes.filter(({ passed }) => !passed).length,
    failed: 0,
    agreement: 1,
    effective: 1,
    by: votes,
  };
  return { ...(failed ? fail(criterion) : pass(criterion)), votes: counts } as Assessment;
};

describe('the probability of votes', () => {
  it('is that of independent votes without correlation', () => {
    const likelihood = voteLikelihood({ betweenJudges: 0, withinJudge: 0 });
    expect(likelihood([{ passes: 2, fails: 1, failRate: 0.3 }])).toBeCloseTo(0.7 ** 2 * 0.3, 9);
  });

  it.each([0.2, 0.44, 0.8])(
    'is that of Sheppard for two judges of rate 0.5 and correlation %d',
    (rho) => {
      const one = { passes: 0, fails: 1, failRate: 0.5 };
      const both = 0.25 + Math.asin(rho) / (2 * Math.PI);
      const between = voteLikelihood({ betweenJudges: rho, withinJudge: rho });
      expect(between([one, one])).toBeCloseTo(both, 6);
      const within = voteLikelihood({ betweenJudges: 0, withinJudge: rho });
      expect(within([{ ...one, fails: 2 }])).toBeCloseTo(both, 4);
      expect(within([one, one])).toBeCloseTo(0.25, 6);
    },
  );

  it('sums to 1 over all votes', () => {
    const rate = fc.double({ min: 0.02, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(rate, rate, fc.constantFrom(0, 0.3, 0.6), (x, y, betweenJudges) => {
        const likelihood = voteLikelihood({ betweenJudges, withinJudge: betweenJudges + 0.2 });
        let sum = 0;
        for (const [own, fails] of [
          [0, 1],
          [1, 0],
        ] as const)
          for (const [other, more] of [
            [0, 1],
            [1, 0],
          ] as const)
            sum += likelihood([
              { passes: own, fails, failRate: x },
              { passes: other, fails: more, failRate: y },
            ]);
        expect(sum).toBeCloseTo(1, 6);
      }),
    );
  });

  it('agrees with a simulation of judges', () => {
    const random = seededRandom(1);
    const normal = (): number => normalQuantile(Math.max(random(), 1e-12));
    let hits = 0;
    const runs = 40_000;
    for (let run = 0; run < runs; run += 1) {
      const shared = Math.sqrt(0.44) * normal();
      const bar = normalQuantile(0.7);
      const votes = [2, 1, 1].flatMap((calls) => {
        const own = Math.sqrt(0.26) * normal();
        return Array.from({ length: calls }, () => shared + own + Math.sqrt(0.3) * normal() >= bar);
      });
      if (votes.every(Boolean)) hits += 1;
    }
    const likelihood = voteLikelihood({ betweenJudges: 0.44, withinJudge: 0.7 });
    const one = { passes: 1, fails: 0, failRate: 0.7 };
    expect(Math.abs(hits / runs - likelihood([{ ...one, passes: 2 }, one, one]))).toBeLessThan(
      0.006,
    );
  });
});

describe('riskOf', () => {
  it('predicts the share of wrong approvals; votes taken as independent do not', () => {
    const random = seededRandom(2);
    const normal = (): number => normalQuantile(Math.max(random(), 1e-12));
    let approved = 0;
    let wrong = 0;
    for (let run = 0; run < 20_000; run += 1) {
      const isWrong = random() < 0.15;
      const bar = normalQuantile(isWrong ? 0.7 : 0.1);
      const shared = Math.sqrt(0.44) * normal();
      const own = judges.map(() => Math.sqrt(0.26) * normal());
      const votes = passes(4).map(
        (_, index) => shared + (own[index % 3] ?? 0) + Math.sqrt(0.3) * normal() >= bar,
      );
      if (!votes.every(Boolean)) continue;
      approved += 1;
      if (isWrong) wrong += 1;
    }
    const predicted = riskAfter(passes(4));
    expect(Math.abs(predicted - wrong / approved)).toBeLessThan(0.005);
    const independent = riskAfter(passes(4), { betweenJudges: 0, withinJudge: 0 });
    expect(independent).toBeLessThan(predicted / 4);
  });

  it('falls with passes, and more with another judge than with the same', () => {
    expect(riskAfter(passes(4))).toBeLessThan(riskAfter(passes(2)));
    expect(riskAfter(passes(4))).toBeLessThan(riskAfter(passes(4, ['a'])));
    expect(riskAfter([{ judge: 'a', passed: false }])).toBeGreaterThan(0.5);
    expect(riskAfter([])).toBeCloseTo(0.15, 12);
    expect(riskAfter(passes(4), { betweenJudges: 0.7 })).toBeGreaterThan(riskAfter(passes(4)));
  });

  it('rises with the prior, and falls with the true negative rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (count) => {
        const of = (changes: Partial<RiskModel>): number => riskAfter(passes(count), changes);
        expect(of({ prior: 0.3 })).toBeGreaterThan(of({ prior: 0.1 }));
        expect(of({ otherwise: { tpr: 0.9, tnr: 0.8 } })).toBeLessThan(
          of({ otherwise: { tpr: 0.9, tnr: 0.5 } }),
        );
      }),
    );
  });

  it('counts a repaired text by its edit, and an untold change as a coin at least', () => {
    const failed = [{ judge: 'a', passed: false }];
    const edited = (told: boolean, votes: readonly JudgeVote[]): number =>
      riskOfTexts([{ id: 't', versions: [{ votes: failed }, { votes, told }] }], model).risk;
    const before = riskAfter(failed);
    expect(edited(true, [])).toBeCloseTo(before * 0.3 + (1 - before) * 0.1, 9);
    expect(edited(false, [])).toBeCloseTo(Math.max(before, 0.5), 9);
    expect(edited(true, passes(6))).toBeGreaterThan(riskAfter(passes(6)));
    const changed = riskOfTexts(
      [{ id: 't', versions: [{ votes: passes(4) }, { votes: [], told: false }] }],
      model,
    );
    expect(changed.risk).toBeCloseTo(0.5, 9);
  });

  it('joins texts, the riskiest first, and takes an unknown judge as a risk of 1', () => {
    const texts = [
      { id: 'good', versions: [{ votes: passes(6) }] },
      { id: 'worse', versions: [{ votes: passes(2) }] },
    ];
    const { risk, texts: sorted } = riskOfTexts(texts, model);
    expect(sorted.map(({ id }) => id)).toEqual(['worse', 'good']);
    expect(risk).toBeCloseTo(1 - sorted.reduce((right, text) => right * (1 - text.risk), 1), 12);
    const known = { ...model, otherwise: undefined, rates: { a: { tpr: 0.9, tnr: 0.7 } } };
    expect(riskOfTexts(texts, known)).toMatchObject({
      risk: 1,
      texts: [{ unknown: ['b', 'c'] }, { unknown: ['b'] }],
    });
    expect(riskAfter([{ judge: 'constructor', passed: true }], { otherwise: undefined })).toBe(1);
    expect(riskOfTexts([], model)).toEqual({ risk: 0, texts: [] });
    expect(
      riskAfter(Array.from({ length: 5000 }, (_, i) => ({ judge: 'a', passed: i % 2 === 0 }))),
    ).toBe(1);
  });

  it('reads who voted what from the reviews of a run, and leaves out checks by code', () => {
    const before = findingOf(
      [named('clear', [...passes(2), { judge: 'c', passed: false }]), named('short', passes(4))],
      { version: 'v1' },
    );
    const evidence = evidenceOf(
      [named('clear', passes(6)), named('short', passes(4)), pass('links')],
      {
        judges: [
          { id: 'links', version: '1', tier: 'code' },
          { id: 'clear', version: '1', tier: 'model' },
        ],
        history: [
          {
            ...before,
            decision: {
              kind: 'revise',
              reason: '',
              from: 'best',
              blocking: [before.gaps[0] as never],
            },
          },
        ],
      },
    );
    const { texts } = riskOf(
      { ...evidence, review: { ...evidence.review, version: 'v2', parent: 'v1' } },
      model,
    );
    const expected = riskOfTexts(
      [
        {
          id: 'clear',
          versions: [
            { votes: [...passes(2), { judge: 'c', passed: false }] },
            { votes: passes(6), told: true },
          ],
        },
        { id: 'short', versions: [{ votes: passes(4) }] },
      ],
      model,
    );
    expect(texts).toEqual(expected.texts);
    expect(riskOf(evidence, model, { counts: (id) => id === 'short' }).texts).toHaveLength(1);
  });

  it('takes votes without names as those of one judge, and failures as no votes', () => {
    const votes = { pass: 3, fail: 0, failed: 2, agreement: 1, effective: 1 };
    const evidence = evidenceOf([{ ...pass('clear'), votes } as Assessment]);
    expect(riskOf(evidence, model).risk).toBe(riskAfter(passes(3, ['clear'])));
    expect(riskOf(evidenceOf([pass('clear')]), model).risk).toBe(riskAfter(passes(1, ['clear'])));
    for (const by of [[], [{ judge: 'a', passed: 'no' }], 'a']) {
      const odd = evidenceOf([
        { ...pass('clear'), votes: { ...votes, by } } as unknown as Assessment,
      ]);
      expect(riskOf(odd, model).risk).toBe(riskAfter(passes(3, ['clear'])));
    }
    const decided = { ...pass('clear'), decidedBy: 'ann' } as Assessment;
    expect(riskOf(evidenceOf([decided]), model)).toEqual({ risk: 0, texts: [] });
  });

  it.each([
    [{ prior: 0 }, /prior/],
    [{ prior: 1e9 }, /prior/],
    [{ otherwise: { tpr: 1, tnr: 0.7 } }, /tpr/],
    [{ rates: { a: { tpr: 0.9 } } }, /tnr/],
    [{ withinJudge: 0.1 }, /withinJudge/],
    [{ betweenJudges: 1, withinJudge: 1 }, /betweenJudges/],
    [{ fix: Number.NaN }, /fix/],
  ])('refuses a model with %j', (changes, message) => {
    expect(() => riskAfter(passes(1), changes as never)).toThrow(message);
  });

  it.each([
    ['x'],
    [[undefined]],
    [[{ id: 't' }]],
    [[{ id: 't', versions: [] }]],
    [[{ id: 't', versions: [{ votes: [{ judge: 'a', passed: 'yes' }] }] }]],
    [[{ id: 't', versions: [null] }]],
  ])('refuses the texts %j', (texts) => {
    expect(() => riskOfTexts(texts as never, model)).toThrow(/`texts/);
  });
});

describe('withinRisk', () => {
  const evidence = evidenceOf([named('good', passes(6)), named('worse', passes(2))]);

  it('approves within the budget, and asks above it, the riskiest text first', () => {
    expect(withinRisk(allPass(), { model, budget: 0.9 })(evidence)?.kind).toBe('approve');
    const decision = withinRisk(allPass(), { model, budget: 0.01 })(evidence);
    expect(decision).toMatchObject({ kind: 'ask', allowed: ['approve', 'reject', 'revise'] });
    expect(decision?.reason).toMatch(
      /^the risk 0\.\d+ is above the budget 0\.01; riskiest: worse 0\.\d+, good 0\.\d+$/,
    );
    const escalated = withinRisk(allPass(), { model, budget: 0.01, otherwise: 'escalate' });
    expect(escalated(evidence)).toMatchObject({ kind: 'stop', code: 'risk_over_budget' });
  });

  it('approves nothing of an agreeable judge, and names a judge that it does not know', () => {
    const agreeable = { ...model, otherwise: { tpr: 0.97, tnr: 0.15 }, prior: 0.3 };
    for (const count of [1, 4, 6, 12]) {
      const votes = evidenceOf([named('clear', passes(count)), named('short', passes(count))]);
      expect(withinRisk(allPass(), { model: agreeable, budget: 0.3 })(votes)?.kind).toBe('ask');
    }
    const unknown = { ...model, otherwise: undefined };
    expect(withinRisk(allPass(), { model: unknown, budget: 0.99 })(evidence)?.reason).toContain(
      'the model does not know a, b, c',
    );
  });

  it('asks a person where no verdict of a model counts: the risk is unknown', () => {
    const policy = withinRisk(allPass(), { model, budget: 0.9, counts: (id) => id === 'god' });
    expect(policy(evidence)).toMatchObject({
      kind: 'ask',
      reason: 'no verdict of a model counts, so the risk is unknown',
    });
    const judges = (tier: 'code' | 'confirm') => [{ id: 'good', version: '1', tier }];
    expect(policy({ ...evidence, judges: judges('confirm') })?.kind).toBe('ask');
    expect(policy({ ...evidence, judges: judges('code') })?.kind).toBe('approve');
  });

  it('leaves other decisions alone', () => {
    const inner = allPass();
    const failing = evidenceOf([fail('clear')]);
    expect(withinRisk(inner, { model, budget: 0.1 })(failing)).toEqual(inner(failing));
  });

  it.each([
    [{ budget: 0 }, /`budget`/],
    [{ budget: 1 }, /`budget`/],
    [{ budget: '0.1' }, /`budget`/],
    [{ otherwise: 'x' }, /`otherwise`/],
    [{ counts: 3 }, /`counts`/],
    [{ model: {} }, /`model`/],
    [{ more: 1 }, /no option `more`/],
  ])('refuses %j', (changes, message) => {
    expect(() => withinRisk(allPass(), { model, budget: 0.1, ...changes } as never)).toThrow(
      message,
    );
  });

  it('refuses what is no policy', () => {
    expect(() => withinRisk(undefined as never, { model, budget: 0.1 })).toThrow(/`policy`/);
  });
});
