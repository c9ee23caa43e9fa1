import { describe, expect, it } from 'vitest';
import { criterion, llmCriterion, memoryStore, type Reviewer, ReviewLoopError } from '@/index.js';
import type { CalibrateJudgesOptions } from '@/products/calibration/calibrate-judges.js';
import { gatesOf } from '@/products/calibration/gate.js';
import {
  CalibrationSchema,
  calibrate,
  calibrateJudges,
  JudgesCalibrationSchema,
  type LabelledExample,
} from '@/products/calibration/index.js';
import { seededRandom } from '@/products/calibration/interval.js';
import { fakeClock, fakeRandom, manualLimiter, scriptedJudge, settle } from '@/testing/index.js';
import { answeringJudge } from '../../../support/answering-judge.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { reviewerOf } from '../../../support/reviewer.js';
import { reviewer } from '../../engine/support.js';

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
    const skipping = reviewer('skips', async () => [reason]);
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

/** What a judge grades a text: the number in it, less so for a strict judge. */
const graderOf = (id: string, strictness = 0) =>
  scriptedJudge(
    { right: (text) => Math.max(1, Number(/grade (\d+)/.exec(text)?.[1]) - strictness) },
    { id },
  );
const right = llmCriterion<string, string>({
  ...{ id: 'right', question: 'How right is it?', scale: 10, passFrom: 6, withTask: false },
});
const gradedExamples = (
  label: 'pass' | 'fail',
  grades: readonly number[],
): LabelledExample<string, string>[] =>
  grades.map((grade, index) => example(label, `${label} ${index} grade ${grade}`));
const gradedWork = [
  ...gradedExamples('pass', [9, 8, 8, 7, 7, 7, 6, 6, 5, 4]),
  ...gradedExamples('fail', [8, 7, 6, 5, 4, 4, 3, 3, 2, 1]),
];

describe('calibrate, for a judge that grades', () => {
  const calibrated = (passFrom: number, provider = graderOf('a'), store = memoryStore()) =>
    calibrate(
      llmCriterion<string, string>({
        ...{ id: 'right', question: 'How right is it?', scale: 10, passFrom, withTask: false },
      }),
      gradedWork,
      { provider, store, prior: 0.2 },
    );

  it('counts what passes at each bar, whatever the bar is now', async () => {
    const { bars = [], confusion } = await calibrated(6);
    expect(confusion).toEqual({ truePass: 8, falseFail: 2, falsePass: 3, trueFail: 7 });
    expect(bars.map(({ bar }) => bar)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(bars.find(({ bar }) => bar === 7)).toMatchObject({
      calls: 1,
      confusion: { truePass: 6, falseFail: 4, falsePass: 2, trueFail: 8 },
      right: { value: 0.6 },
      wrong: { value: expect.closeTo((0.2 * 0.2) / (0.2 * 0.2 + 0.8 * 0.6), 12) as number },
    });
    expect(bars.at(-1)).toMatchObject({ bar: 10, right: { value: 0 }, wrong: null });
    const eight = await calibrated(8);
    expect(eight.bars).toEqual(bars);
    expect(eight.confusion).toMatchObject({ truePass: 3, falsePass: 1 });
  });

  it('takes stored grades by the bar of now, and asks nobody again', async () => {
    const [provider, store] = [graderOf('a'), memoryStore()];
    await calibrated(6, provider, store);
    const stricter = await calibrated(8, provider, store);
    expect(provider.requests).toHaveLength(gradedWork.length);
    expect(stricter.confusion).toMatchObject({ truePass: 3, falsePass: 1 });
  });
});

describe('calibrateJudges', () => {
  const given = (more: Partial<CalibrateJudgesOptions> = {}): CalibrateJudgesOptions => ({
    providers: [graderOf('a'), graderOf('b', 1)],
    prior: 0.2,
    ...more,
  });

  it('counts calls and what passes, for each order of judges and each bar', async () => {
    const found = await calibrateJudges(right, gradedWork, given());
    expect(JudgesCalibrationSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
    expect(found.calibrations.map(({ judge }) => judge.provider)).toEqual(['a', 'b']);
    expect(found.gates).toHaveLength(4 * 9);
    const gate = (...judges: string[]) =>
      found.gates.find((one) => one.bar === 6 && one.judges.join() === judges.join());
    // the strict judge passes from 7 on, so that both together pass what it passes
    expect(gate('a')?.confusion).toMatchObject({ truePass: 8, falsePass: 3 });
    expect(gate('b')?.confusion).toMatchObject({ truePass: 6, falsePass: 2 });
    expect(gate('a', 'b')?.confusion).toEqual(gate('b')?.confusion);
    expect(gate('b', 'a')?.confusion).toEqual(gate('b')?.confusion);
    // all texts are put to the first judge, and to the second one what the first one passes
    expect(gate('a', 'b')?.calls).toBeCloseTo(1 + 0.2 * 0.3 + 0.8 * 0.8, 12);
    expect(gate('b', 'a')?.calls).toBeCloseTo(1 + 0.2 * 0.2 + 0.8 * 0.6, 12);
    expect(found.notes).toEqual([]);
  });

  it('has one gate for each order of judges that answer yes or no, and says what the prior is', async () => {
    const plain = llmCriterion<string, string>({ id: 'right', question: 'Is it right?' });
    const providers = ['a', 'b', 'c'].map((id) =>
      scriptedJudge({ right: (text) => (text.includes('fine') ? 'yes' : 'no') }, { id }),
    );
    const found = await calibrateJudges(plain, labelled, { providers });
    expect(found.gates.map(({ judges, bar }) => [judges.length, bar])).toEqual([
      ...Array.from({ length: 3 }, () => [1, null]),
      ...Array.from({ length: 6 }, () => [2, null]),
      ...Array.from({ length: 6 }, () => [3, null]),
    ]);
    expect(found.prior).toBe(40 / 72);
    expect(found.notes.join()).toContain('random sample');
    expect(found.gates[0]).toMatchObject({
      confusion: { truePass: 30, falseFail: 2, falsePass: 30, trueFail: 10 },
    });
  });

  it('counts a judge that is named twice once', async () => {
    const providers = [graderOf('a'), graderOf('a'), graderOf('b', 1)];
    const found = await calibrateJudges(right, gradedWork, given({ providers }));
    expect(new Set(found.gates.map(({ judges }) => judges.join()))).toEqual(
      new Set(['a', 'b', 'a,b', 'b,a']),
    );
  });

  it('leaves a text out where a judge failed', async () => {
    const down = scriptedJudge({ right: new Error('down') }, { id: 'down' });
    const found = await calibrateJudges(right, gradedWork, {
      ...given({ providers: [graderOf('a'), down], retries: 0 }),
    });
    const alone = found.gates.find(({ judges }) => judges.join() === 'a');
    const both = found.gates.find(({ judges }) => judges.length === 2);
    expect(alone?.right).not.toBeNull();
    expect(both).toMatchObject({ right: null, wrong: null });
  });

  it('has intervals that contain the truth as often as they say', () => {
    const next = seededRandom(8);
    const truth = (0.15 * 0.2) / (0.15 * 0.2 + 0.85 * 0.8);
    let held = 0;
    for (let round = 0; round < 400; round += 1) {
      const texts = Array.from({ length: 160 }, (_, index) => {
        const good = index % 2 === 0;
        return { good, said: [{ passed: next() < (good ? 0.8 : 0.2) }] };
      });
      const [gate] = gatesOf(texts, { judges: ['a'], prior: 0.15, confidence: 0.9 });
      const { low = 1, high = 0 } = gate?.wrong ?? {};
      if (low <= truth && truth <= high) held += 1;
    }
    expect(held / 400).toBeGreaterThan(0.86);
    expect(held / 400).toBeLessThan(0.95);
  });

  it('tells the progress of all judges', async () => {
    const done: string[] = [];
    await calibrateJudges(right, gradedWork, {
      ...given({ repetitions: 2 }),
      onProgress: (progress) => done.push(`${progress.done}/${progress.total}`),
    });
    expect(done.at(-1)).toBe('80/80');
  });

  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['no judges', { providers: [] }, /`providers`/],
    ['one provider', { provider: graderOf('a') }, /provider/],
    ['a prior of 0', { prior: 0 }, /`prior`/],
    ['an unknown option', { judges: 2 }, /judges/],
  ];
  it.each(refused)('refuses %s', async (_, options, message) => {
    await expect(
      calibrateJudges(right, gradedWork, { ...given(), ...(options as object) }),
    ).rejects.toThrow(message);
  });

  it('refuses a judge that asks no model', async () => {
    const check: Reviewer<string, string> = reviewerOf('x', async () => []);
    await expect(calibrateJudges(check, gradedWork, given())).rejects.toThrow(/asks a model/);
  });
});
