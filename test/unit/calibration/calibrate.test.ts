import { describe, expect, it } from 'vitest';
import {
  type CalibrateJudgesOptions,
  CalibrationSchema,
  calibrate,
  calibrateJudges,
  JudgesCalibrationSchema,
  type LabelledExample,
  riskOfTexts,
  withinRisk,
} from '@/calibration/index.js';
import { fitJudges, type JudgedText } from '@/calibration/judges-fit.js';
import { normalQuantile } from '@/calibration/normal-distribution.js';
import { seededRandom } from '@/calibration/seeded-random.js';
import { voteCorrelation } from '@/calibration/vote-correlation.js';
import {
  criterion,
  llmCriterion,
  memoryStore,
  type Reviewer,
  ReviewLoopError,
  thresholds,
} from '@/index.js';
import { fakeClock, fakeRandom, manualLimiter, settle } from '@/testing/index.js';
import { draft, noisyJudge, read, regimes } from '../../../bench/trust/simulation.mjs';
import { answeringJudge } from '../../support/answering-judge.js';
import { checklistJudge } from '../../support/checklist-judge.js';
import { errorWith, expectCode } from '../../support/matchers.js';
import { reviewerOf } from '../../support/reviewer.js';

/** Texts with a word in them: `good` and `bad` are labels, `looks-fine` and `looks-odd` what a judge can see. */
const example = (label: 'pass' | 'fail', text: string): LabelledExample<string, string> => ({
  task: 'a text',
  output: text,
  label,
});
const labelled = [
  ...Array.from({ length: 30 }, (_, index) => example('pass', `looks-fine ${index}`)),
  ...Array.from({ length: 2 }, (_, index) => example('pass', `looks-odd ${index}`)),
  ...Array.from({ length: 10 }, (_, index) => example('fail', `looks-odd, bad ${index}`)),
  ...Array.from({ length: 30 }, (_, index) => example('fail', `looks-fine, bad ${index}`)),
];
const fine = (text: string): boolean => text.startsWith('looks-fine');

describe('calibrate', () => {
  it('finds the agreeable judge out: it passes what is bad', async () => {
    const calibration = await calibrate(fine, labelled, { clock: fakeClock(0) });
    expect(CalibrationSchema.parse(JSON.parse(JSON.stringify(calibration)))).toEqual(calibration);
    expect(calibration).toMatchObject({
      judge: { id: 'fine' },
      at: '1970-01-01T00:00:00.000Z',
      examples: { total: 72, good: 32, bad: 40, judged: 72, errored: 0, skipped: 0 },
      confusion: { truePass: 30, falseFail: 2, trueFail: 10, falsePass: 30 },
      flipRate: null,
      notes: [],
    });
    expect(calibration.tpr?.value).toBe(30 / 32);
    expect(calibration.tnr?.value).toBe(0.25);
    expect(calibration.tnr?.high).toBeLessThan(0.41);
    expect(calibration.kappa?.low).toBeLessThan(calibration.kappa?.value ?? 0);
    expect(calibration.kappa?.high).toBeLessThan(0.5);
    expect(await calibrate(fine, labelled, { clock: fakeClock(0) })).toEqual(calibration);
  });

  it('counts a judge that fails neither as pass nor as failure, and says who failed', async () => {
    const shaky = (text: string): boolean => {
      if (text.includes('2')) throw new Error('overloaded');
      return !text.includes('bad');
    };
    const calibration = await calibrate(shaky, labelled, { retries: 0 });
    const failing = labelled.filter(({ output }) => output.includes('2')).length;
    expect(calibration.examples).toMatchObject({
      judged: labelled.length - failing,
      errored: failing,
    });
    expect(calibration.confusion).toMatchObject({ falsePass: 0, falseFail: 0 });
    expect(calibration.errors[0]).toMatchObject({ example: '#3', code: 'criterion_threw' });
    expect(calibration.notes.join(' ')).toContain(`${failing} runs have no verdict`);
    const never = await calibrate(() => Promise.reject(new Error('down')), labelled.slice(0, 3), {
      id: 'down',
      retries: 0,
    });
    expect(never).toMatchObject({
      tpr: null,
      tnr: null,
      kappa: null,
      examples: { judged: 0, errored: 3 },
    });
  });

  it('reports too few examples, and returns wide intervals', async () => {
    const calibration = await calibrate(fine, labelled.slice(0, 1).concat(labelled.slice(35, 37)));
    expect(calibration.notes[0]).toContain('only 1 good and 2 bad examples were judged');
    expect((calibration.tpr?.high ?? 0) - (calibration.tpr?.low ?? 1)).toBeGreaterThan(0.7);
  });

  it('repeats every example, and tells how often the judge contradicts itself', async () => {
    const asked = new Map<string, number>();
    const moody = async (text: string): Promise<boolean> => {
      const times = (asked.get(text) ?? 0) + 1;
      asked.set(text, times);
      return text.endsWith('1') ? times % 2 === 1 : true;
    };
    const ten = Array.from({ length: 10 }, (_, index) =>
      example(index < 5 ? 'pass' : 'fail', `text ${index}`),
    );
    const calibration = await calibrate(moody, ten, { repetitions: 3, version: '1' });
    expect(calibration.flipRate).toBeCloseTo((2 / 3) * 0.1, 12);
    expect(calibration.repetitions).toBe(3);
    expect([...asked.values()]).toEqual(Array.from({ length: 10 }, () => 3));
  });

  it('pays once: what is in the store is not asked again, not even for a longer list', async () => {
    const store = memoryStore();
    let calls = 0;
    const judge = criterion<string, string>('counted', async (text) => {
      calls += 1;
      if (calls === 4) throw new Error('the service went away');
      return fine(text);
    });
    const first = await calibrate(judge, labelled.slice(0, 6), { store, retries: 0 });
    expect([calls, first.examples.errored]).toEqual([6, 1]);
    const again = await calibrate(
      judge,
      [labelled[40] as LabelledExample<string, string>, ...labelled.slice(0, 6)],
      { store, retries: 0 },
    );
    expect([calls, again.examples.errored, again.examples.judged]).toEqual([8, 0, 7]);
    await calibrate(judge, labelled.slice(0, 3).concat(labelled.slice(0, 1)), { store });
    expect(calls).toBe(8);
  });

  it('counts work that stands twice once: copies narrow no interval', async () => {
    let calls = 0;
    const judge = criterion<string, string>('counted', (text) => {
      calls += 1;
      return fine(text);
    });
    const some = [...labelled.slice(0, 5), ...labelled.slice(32, 37)];
    const once = await calibrate(judge, some);
    const copied = await calibrate(judge, [...some, ...some, ...some]);
    expect(calls).toBe(20);
    expect(copied).toMatchObject({
      tpr: once.tpr,
      tnr: once.tnr,
      kappa: once.kappa,
      labels: once.labels,
      examples: { total: 10, good: 5, bad: 5, judged: 10 },
    });
    expect(copied.notes).toEqual([
      ...once.notes,
      '20 examples left out: a copy of another one shows nothing new',
    ]);
    expect(copied.notes[0]).toContain('only 5 good and 5 bad examples were judged');
  });

  it('leaves work with both labels out, and refuses examples of which none is left', async () => {
    const both = [example('pass', 'looks-fine'), example('fail', 'looks-fine')];
    const calibration = await calibrate(fine, [...both, ...labelled]);
    expect(calibration.examples.total).toBe(labelled.length);
    expect(calibration.notes).toEqual(['2 examples left out: the same output has both labels']);
    await expect(calibrate(fine, both)).rejects.toMatchObject(
      errorWith('invalid_options', 'at least one example with one label'),
    );
  });

  it('says that figures describe few examples if most were skipped', async () => {
    const picky = criterion<string, string>('picky', (text) => ({
      passed: fine(text),
      score: 1,
      details: '',
      ...(text.includes('bad') && { skipped: 'no idea' }),
    }));
    const { notes, examples } = await calibrate(picky, labelled);
    expect(examples).toMatchObject({ judged: 32, errored: 0, skipped: 40 });
    expect(notes.join('; ')).toContain('40 of 72 examples were never judged');
  });

  it('binds a provider, and another model or question is another judge', async () => {
    const ask = (question: string, model: string) =>
      calibrate(llmCriterion<string, string>({ id: 'fine', question }), labelled.slice(0, 2), {
        provider: { ...answeringJudge({ output: (text) => fine(text) }), id: 'house', model },
      });
    const [one, same, otherModel, otherPrompt] = await Promise.all([
      ask('Is it fine?', 'a'),
      ask('Is it fine?', 'a'),
      ask('Is it fine?', 'b'),
      ask('Is it really fine?', 'a'),
    ]);
    expect(one.judge).toMatchObject({ id: 'fine', provider: 'house', model: 'a' });
    expect(same.judge.version).toBe(one.judge.version);
    expect(new Set([one, otherModel, otherPrompt].map(({ judge }) => judge.version)).size).toBe(3);
    await expectCode(
      calibrate(llmCriterion({ id: 'x', question: 'x?' }), labelled),
      'provider_missing',
    );
  });

  it('passes scope, task and slots of the limiter to the judge', async () => {
    const limiter = manualLimiter();
    const seen: unknown[] = [];
    const judge = criterion(
      'scoped',
      async (text: string, task: string) => {
        seen.push([text, task]);
        return true;
      },
      { scope: ({ text }: { text: string }) => text },
    );
    const running = calibrate(
      judge,
      [{ task: 'the task', output: { text: 'only this' }, label: 'pass' }],
      { limiter, random: fakeRandom() },
    );
    for (let turn = 0; turn < 4; turn += 1) {
      await settle();
      limiter.open();
    }
    expect((await running).examples.judged).toBe(1);
    expect(seen).toEqual([['only this', 'the task']]);
  });

  it('tells a judge that skips from one that judges, and takes criteria, reviewers and functions with a name of their own', async () => {
    const reason = { verdict: 'skipped', criterion: 'skips', reason: 'nothing to do' } as const;
    const skipping = {
      id: 'skips',
      version: '1',
      tier: 'code',
      review: async () => [reason],
    } as const;
    const skipped = await calibrate<string, string>(skipping, labelled.slice(0, 3));
    expect(skipped.examples).toMatchObject({ total: 3, judged: 0, skipped: 3 });
    const agent = {
      ...{ id: 'old', name: 'Old', description: '', severity: 'major' },
      validate: async (text: string) => ({ passed: fine(text), details: '' }),
    };
    const old = await calibrate<string, string>(agent as never, labelled.slice(30, 40));
    expect(old.judge.id).toBe('old');
    const own = { id: 'full', version: '7' };
    const full = await calibrate((text: string) => text !== '', labelled.slice(0, 3), own);
    expect(full.judge).toMatchObject({ id: 'full' });
  });

  it('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const slow = async (): Promise<boolean> => {
      controller.abort(new Error('enough'));
      return true;
    };
    await expectCode(
      calibrate(slow, labelled, { id: 'slow', signal: controller.signal }),
      'cancelled',
    );
  });

  it('refuses what it cannot use', async () => {
    const wrong: readonly (readonly [unknown, unknown, unknown])[] = [
      [fine, [], {}],
      [fine, 'text', {}],
      [fine, [{ output: 'x', label: 'yes' }], {}],
      [fine, [{ task: 'x', label: 'pass' }], {}],
      [fine, [null], {}],
      [undefined, labelled, {}],
      [{ id: 'x' }, labelled, {}],
      [() => true, labelled, { repetitions: 0 }],
      [fine, labelled, { times: 3 }],
      [fine, labelled, { confidence: 2 }],
      [criterion('x', fine), labelled, { id: 'y' }],
      [criterion('x', fine), labelled, { version: '2' }],
      [null, labelled, {}],
      [fine, labelled, null],
      [fine, labelled, { timeoutMs: 0 }],
    ];
    for (const [judge, examples, options] of wrong)
      await expect(
        calibrate(judge as never, examples as never, options as never),
        JSON.stringify([examples, options]),
      ).rejects.toBeInstanceOf(ReviewLoopError);
    const big = { task: 'x', output: 3n as never, label: 'pass' } as const;
    await expect(calibrate(fine, [big])).rejects.toMatchObject(
      errorWith('not_json', 'example #1: found a bigint at $.output'),
    );
    for (const options of [{ repetitions: 1001 }, { repetitions: 1e9 }, { resamples: 1e9 }])
      await expectCode(calibrate(fine, labelled, options), 'invalid_options');
  });
});

const right = llmCriterion<string, number>({
  id: 'right',
  question: 'Is the item right?',
  withTask: false,
});

const truth = { between: 0.44, within: 0.78, tpr: 0.94, tnr: 0.57 };

/** Votes that were drawn from the model of risk itself. */
function drawn(count: number, judges = 3, calls = 2): JudgedText[] {
  const next = seededRandom(7);
  const normal = (): number => normalQuantile(next() * 0.999998 + 0.000001);
  return Array.from({ length: count }, (_, index) => {
    const good = index % 2 === 0;
    const shared = Math.sqrt(truth.between) * normal();
    const bar = normalQuantile(good ? 1 - truth.tpr : truth.tnr);
    return {
      good,
      passes: Array.from({ length: judges }, () => {
        const own = Math.sqrt(truth.within - truth.between) * normal();
        return Array.from(
          { length: calls },
          () => shared + own + Math.sqrt(1 - truth.within) * normal() >= bar,
        );
      }),
    };
  });
}

const assumed = {
  judges: ['a', 'b', 'c'],
  prior: 0.15,
  fix: 0.7,
  damage: 0.2,
  passes: { first: 4, edited: 6 },
};

/** Items of which half are wrong, labelled by what they are. */
function workOf(count: number): LabelledExample<number, string>[] {
  const texts = Array.from({ length: count }, (_, task) =>
    Object.values(draft({ seed: 9, task })),
  ).flat();
  const of = (ok: boolean) =>
    texts.filter((text) => read(text).ok === ok).slice(0, Math.ceil(count / 2));
  return [...of(true), ...of(false)].map((output) => ({
    task: 1,
    output,
    label: read(output).ok ? 'pass' : 'fail',
  }));
}

const judges = () =>
  ['a', 'b'].map((family) => noisyJudge({ seed: 9, family, regime: regimes.mid }));
const given = (more: Partial<CalibrateJudgesOptions> = {}): CalibrateJudgesOptions => ({
  providers: judges(),
  prior: 0.15,
  resamples: 40,
  ...more,
});

describe('fitJudges', () => {
  it('finds the rates and correlations that the votes were drawn with', () => {
    const fit = fitJudges(drawn(6000), assumed);
    const { model, betweenJudges, withinJudge, first = 0, edited = 0 } = fit;
    expect(Math.abs((betweenJudges ?? 0) - truth.between)).toBeLessThan(0.05);
    expect(Math.abs((withinJudge ?? 0) - truth.within)).toBeLessThan(0.05);
    for (const rates of Object.values(model?.rates ?? {})) {
      expect(Math.abs(rates.tpr - truth.tpr)).toBeLessThan(0.02);
      expect(Math.abs(rates.tnr - truth.tnr)).toBeLessThan(0.03);
    }
    const exact = {
      rates: {},
      otherwise: { tpr: truth.tpr, tnr: truth.tnr },
      betweenJudges: truth.between,
      withinJudge: truth.within,
      prior: 0.15,
      fix: 0.7,
      damage: 0.2,
    };
    const votes = ['a', 'b', 'c', 'a'].map((judge) => ({ judge, passed: true }));
    const { risk } = riskOfTexts([{ id: 't', versions: [{ votes }] }], exact);
    expect(Math.abs(first - risk)).toBeLessThan(0.01);
    expect(edited).toBeGreaterThan(first);
  });

  it('has no model of judges that were seen on one label only', () => {
    const good = drawn(60).filter((text) => text.good);
    expect(fitJudges(good, assumed)).toMatchObject({ model: undefined, first: undefined });
  });
});

describe('voteCorrelation', () => {
  const pair = (both: number) => ({ rates: [0.5, 0.5] as const, all: 1000, both });

  it('is 0 for independent calls, high for equal ones, and unknown without failures', () => {
    expect(voteCorrelation([pair(250)])).toBe(0);
    expect(voteCorrelation([pair(100)])).toBe(0);
    expect(voteCorrelation([pair(500)])).toBe(0.98);
    // a third of a plane is in both quadrants at a correlation of 0.5
    expect(voteCorrelation([pair(1000 / 3)])).toBeCloseTo(0.5, 2);
    expect(voteCorrelation([{ rates: [0, 0.5], all: 100, both: 0 }])).toBeUndefined();
    expect(voteCorrelation([])).toBeUndefined();
  });
});

describe('calibrateJudges', () => {
  it('measures several judges on equal examples, with intervals that shrink', async () => {
    const few = await calibrateJudges(right, workOf(40), given());
    const many = await calibrateJudges(right, workOf(200), given());
    expect(JudgesCalibrationSchema.parse(JSON.parse(JSON.stringify(many)))).toEqual(many);
    expect(
      many.calibrations.map(({ judge, repetitions }) => [judge.provider, repetitions]),
    ).toEqual([
      ['family-a', 2],
      ['family-b', 2],
    ]);
    expect(Object.keys(many.model?.rates ?? {})).toEqual(['family-a fresh', 'family-b fresh']);
    const width = ({ predicted }: typeof many): number =>
      (predicted?.edited.high ?? 1) - (predicted?.edited.low ?? 0);
    expect(width(many)).toBeLessThan(width(few));
    for (const one of [many.betweenJudges, many.withinJudge, many.predicted?.first]) {
      expect(one?.low).toBeLessThanOrEqual(one?.value ?? 0);
      expect(one?.high).toBeGreaterThanOrEqual(one?.value ?? 1);
    }
    expect(many.prior).toEqual({ value: 0.15, low: 0.15, high: 0.15 });
    expect(many.notes).toEqual(['fix 0.5 and damage 0.2: assumed, not measured']);
    if (many.model === null) throw new Error('no model');
    expect(() => withinRisk(thresholds(), { model: many.model!, budget: 0.1 })).not.toThrow();
  });

  it('says what it could not measure, and what it assumes', async () => {
    const blind = checklistJudge([], { id: 'blind' });
    const examples = workOf(6);
    const one = await calibrateJudges(right, examples, { providers: [blind], repetitions: 1 });
    expect(one).toMatchObject({ betweenJudges: null, withinJudge: null, model: null });
    expect(one.predicted).toBeNull();
    expect(one.prior.value).toBe(0.5);
    expect(one.notes.join('\n')).toMatch(
      /random sample[\s\S]*assumed[\s\S]*one judge[\s\S]*repetitions[\s\S]*no model/,
    );
  });

  it('tells the progress of all judges, and calls each one again', async () => {
    const providers = [checklistJudge([], { id: 'a' }), checklistJudge([], { id: 'b' })];
    const done: string[] = [];
    await calibrateJudges(right, workOf(2), {
      providers,
      onProgress: (progress) => done.push(`${progress.done}/${progress.total}`),
    });
    expect(done.at(-1)).toBe('8/8');
    expect(providers.map(({ requests }) => requests.length)).toEqual([4, 4]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no judges', { providers: [] }, /`providers`/],
    ['one provider', { provider: judges()[0] }, /provider/],
    ['a prior of 0', { prior: 0 }, /`prior`/],
    ['a fix above 1', { fix: 2 }, /`fix`/],
    ['fewer passes of an edited text', { passes: { first: 3, edited: 1 } }, /`passes.edited`/],
    ['an unknown option', { judges: 2 }, /judges/],
  ])('refuses %s', async (_, options, message) => {
    await expect(
      calibrateJudges(right, workOf(2), { ...given(), ...(options as object) }),
    ).rejects.toThrow(message);
  });

  it('refuses a judge that asks no model', async () => {
    const check: Reviewer<number, string> = reviewerOf('x', async () => []);
    await expect(calibrateJudges(check, workOf(2), given())).rejects.toThrow(/asks a model/);
  });
});
