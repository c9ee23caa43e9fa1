import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allPass } from '@/engine/policies/all-pass.js';
import { criterion, definePipeline, llmCriterion, type PipelineOptions } from '@/index.js';
import {
  type Calibration,
  calibrate,
  type LabelledExample,
  requireCalibration,
} from '@/products/calibration/index.js';
import { answeringJudge } from '../../../support/answering-judge.js';
import { evidenceOf, pass } from '../../engine/policies/fixtures.js';

const seesAll = answeringJudge({ output: (text) => !text.includes('bad') || 'it is bad' });
const seesNothing = answeringJudge({ output: () => true });
const labelled: LabelledExample<string, string>[] = Array.from({ length: 80 }, (_, index) => ({
  task: 'a text',
  output: index % 2 === 0 ? `good ${index}` : `bad ${index}`,
  label: index % 2 === 0 ? 'pass' : 'fail',
}));
const judge = (provider: typeof seesAll, question = 'Is it good?') =>
  llmCriterion<string, string>({ id: 'good', question, provider });
const pipeline = (options: PipelineOptions<string, string>) =>
  definePipeline<string, string>({ produce: async () => 'good', ...options });
const ran = (options: PipelineOptions<string, string>) => pipeline(options).run('a text');

/** The record of a judge about which nothing more is known. */
const recordOf = (id: string, version: string, more: Partial<Calibration>): Calibration => ({
  ...{ schema: 1, judge: { id, version }, at: '2026-01-01T00:00:00.000Z', labels: '' },
  examples: { total: 80, good: 40, bad: 40, judged: 80, errored: 0, skipped: 0 },
  confusion: { truePass: 36, falsePass: 8, trueFail: 32, falseFail: 4 },
  ...{ tpr: null, tnr: null, balancedAccuracy: null, precision: null, kappa: null },
  ...{ flipRate: null, repetitions: 1, confidence: 0.95, errors: [], notes: [] },
  ...more,
});

describe('requireCalibration', () => {
  it('lets a judge approve that has shown what it can', async () => {
    const calibrations = [await calibrate(judge(seesAll), labelled)];
    const bars = { minTnr: 0.8, minTpr: 0.8, minKappa: 0.7, minBalancedAccuracy: 0.8 };
    const policy = requireCalibration({ calibrations, ...bars });
    expect((await ran({ reviewers: [judge(seesAll)], policy })).status).toBe('approved');
  });

  it('asks a person in the place of an agreeable judge, of one that nobody calibrated, and of one with another prompt or model', async () => {
    const good = await calibrate(judge(seesAll), labelled);
    const agreeable = await calibrate(judge(seesNothing), labelled);
    const cases: readonly (readonly [Calibration[], ReturnType<typeof judge>, RegExp, object?])[] =
      [
        [
          [agreeable],
          judge(seesNothing),
          /good has a TNR of 0 \(0 to 0\.\d+\), below minTnr 0\.7 at the low end/,
        ],
        [[], judge(seesAll), /good is not calibrated/],
        [
          [good],
          judge(seesAll, 'Is it good enough?'),
          /good was calibrated with another prompt, model or rule/,
        ],
        [[good], judge({ ...seesAll, id: 'another' }), /another prompt, model or rule/],
        [
          [good],
          judge(seesAll),
          /40 examples of a label, below minExamples 50/,
          { minExamples: 50 },
        ],
        [[good], judge(seesAll), /was run only once/, { maxFlipRate: 0.2 }],
      ];
    for (const [calibrations, reviewer, reason, options] of cases) {
      const decided = (more: object) =>
        ran({ reviewers: [reviewer], policy: requireCalibration({ calibrations, ...more }) });
      const outcome = await decided({ ...options });
      expect(outcome.status).toBe('suspended');
      expect(outcome.reason).toMatch(reason);
      const ended = await decided({ otherwise: 'escalate', ...options });
      expect([ended.status, ended.code]).toEqual(['escalated', 'judge_not_calibrated']);
    }
  });

  it('lets a person approve what the judge may not', async () => {
    const asking = pipeline({
      reviewers: [judge(seesAll)],
      policy: requireCalibration({ calibrations: [] }),
    });
    const outcome = await asking.run('a text', { runId: 'asked' });
    if (outcome.status !== 'suspended') throw new Error(outcome.status);
    expect(await asking.answer(outcome.requests[0], { kind: 'approve', by: 'ann' })).toMatchObject({
      status: 'approved',
      decidedBy: 'ann',
    });
  });

  it('counts the model that a pipeline hands on, and the confirming judge too', async () => {
    const without = llmCriterion<string, string>({ id: 'good', question: 'Is it good?' });
    const calibrations = [await calibrate(without, labelled, { provider: seesAll })];
    const policy = requireCalibration({ calibrations });
    const handing = { reviewers: [without], provider: seesAll, policy };
    expect((await ran(handing)).status).toBe('approved');
    const newer = { ...seesAll, model: 'newer' };
    expect((await ran({ ...handing, provider: newer })).status).toBe('suspended');
    const confirming = { id: 'second', question: 'Is it?', tier: 'confirm' } as const;
    const second = llmCriterion<string, string>(confirming);
    expect((await ran({ ...handing, reviewers: [without, second] })).reason).toMatch(
      /second is not calibrated/,
    );
  });

  it('asks nothing of code, and leaves what is no approval alone', async () => {
    const policy = requireCalibration({ calibrations: [] });
    const length = criterion('length', (text: string) => text.length > 2);
    expect((await ran({ reviewers: [length], policy })).status).toBe('approved');
    const failing = await ran({ reviewers: [judge(seesAll)], produce: async () => 'bad', policy });
    expect(failing.status).not.toBe('suspended');
    expect(failing.approved).toBe(false);
  });

  it('takes the newest calibration of a version, whatever the order', async () => {
    const good = await calibrate(judge(seesAll), labelled);
    const older: Calibration = {
      ...good,
      at: '2001-01-01T00:00:00.000Z',
      tnr: { value: 0.1, low: 0, high: 0.2 },
    };
    const statusWith = async (...calibrations: Calibration[]) =>
      (await ran({ reviewers: [judge(seesAll)], policy: requireCalibration({ calibrations }) }))
        .status;
    expect(await statusWith(good, older)).toBe('approved');
    expect(await statusWith(older, good)).toBe('approved');
    const newer = { ...older, at: '2999-01-01T00:00:00.000Z' };
    expect(await statusWith(newer, good)).toBe('suspended');
  });

  it('compares the estimate with compare: estimate, and names the missed minimum', () => {
    const wide = { value: 0.8, low: 0.65, high: 0.9 };
    const figures = { tpr: wide, tnr: wide, balancedAccuracy: wide };
    const calibration = recordOf('a', '1', { ...figures, flipRate: 0.25, repetitions: 2 });
    const evidence = evidenceOf([pass('a')], {
      judges: [{ id: 'a', version: '1', tier: 'model' }],
    });
    const decided = (bars: object, record = calibration) =>
      requireCalibration({ policy: allPass(), calibrations: [record], ...bars })(evidence);
    expect(decided({ compare: 'estimate' })?.kind).toBe('approve');
    expect(decided({})?.reason).toBe(
      'a has a TNR of 0.8 (0.65 to 0.9), below minTnr 0.7 at the low end',
    );
    expect(decided({ compare: 'estimate', minTnr: 0.9 })?.reason).toBe(
      'a has a TNR of 0.8 (0.65 to 0.9), below minTnr 0.9',
    );
    expect(decided({ compare: 'estimate', minKappa: 0 })?.reason).toBe('a has no kappa');
    expect(decided({ compare: 'estimate', maxFlipRate: 0.2 })?.reason).toBe(
      'a contradicts itself in 0.25 of repeated runs, above maxFlipRate 0.2',
    );
    expect(
      decided({ compare: 'estimate', maxFlipRate: 0.25, minTpr: 0.8, minBalancedAccuracy: 0.8 })
        ?.kind,
    ).toBe('approve');
    expect(decided({}, { ...calibration, tnr: null })?.reason).toBe('a has no TNR');
  });

  it('never approves with a model judge that has no calibration', () => {
    const tier = fc.constantFrom('code' as const, 'model' as const, 'confirm' as const);
    const judges = fc.array(
      fc.record({
        id: fc.constantFrom('a', 'b', 'toString'),
        version: fc.constantFrom('1', '2'),
        tier,
      }),
      { minLength: 1, maxLength: 4 },
    );
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const calibration = fc
      .record({
        id: fc.constantFrom('a', 'b'),
        version: fc.constantFrom('1', '2'),
        tnr: share,
        count: fc.integer({ min: 0, max: 60 }),
      })
      .map(
        ({ id, version, tnr, count }): Calibration =>
          recordOf(id, version, {
            examples: {
              total: 2 * count,
              good: count,
              bad: count,
              judged: 2 * count,
              errored: 0,
              skipped: 0,
            },
            confusion: { truePass: count, falsePass: 0, trueFail: count, falseFail: 0 },
            tnr: { value: tnr, low: tnr, high: tnr },
          }),
      );
    fc.assert(
      fc.property(
        fc.option(judges, { nil: undefined }),
        fc.array(calibration, { maxLength: 5 }),
        (asked, calibrations) => {
          const evidence = evidenceOf([pass('a')], { judges: asked });
          const approved =
            requireCalibration({ policy: allPass(), calibrations })(evidence)?.kind === 'approve';
          const able = (id: string, version: string): boolean => {
            const known = calibrations
              .filter(
                (candidate) => candidate.judge.id === id && candidate.judge.version === version,
              )
              .at(-1);
            return (
              known !== undefined &&
              (known.tnr?.value ?? 0) >= 0.7 &&
              known.confusion.truePass >= 20
            );
          };
          expect(approved).toBe(
            asked?.every((one) => one.tier === 'code' || able(one.id, one.version)) ?? false,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('refuses records whose figures cannot be', async () => {
    const calibration = await calibrate(judge(seesAll), labelled);
    const figures = (tnr: object) => [{ ...calibration, tnr }];
    for (const calibrations of [
      figures({ value: 0.1, low: 0.9, high: 0.95 }),
      figures({ value: 0.9, low: 0.8, high: 0.85 }),
      figures({ value: 5, low: 5, high: 5 }),
      figures({ value: 0.5, low: -1, high: 1 }),
      [{ ...calibration, kappa: { value: 0, low: -2, high: 1 } }],
      [{ ...calibration, at: 'yesterday' }],
    ] as unknown as Calibration[][])
      expect(() => requireCalibration({ calibrations })).toThrow('records of calibrate');
  });

  it('refuses bars that cannot be', () => {
    for (const wrong of [
      {},
      { calibrations: {} },
      { calibrations: [{}] },
      { calibrations: [], minTnr: 2 },
      { calibrations: [], minKappa: -2 },
      { calibrations: [], minExamples: 0 },
      { calibrations: [], compare: 'mean' },
      { calibrations: [], policy: 'all' },
      { calibrations: [], minKappa: '0' },
      { calibrations: [], maxFlipRate: 2 },
      null,
      undefined,
    ])
      expect(() => requireCalibration(wrong as never)).toThrow(/expected|plain object/);
    expect(() => requireCalibration({ calibrations: [], least: 1 } as never)).toThrow(/no option/);
    expect(() => requireCalibration({ calibrations: [], otherwise: 'approve' as never })).toThrow(
      /otherwise/,
    );
  });
});
