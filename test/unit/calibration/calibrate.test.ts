import { describe, expect, it } from 'vitest';
import {
  CalibrationSchema,
  calibrate,
  type LabelledExample,
} from '../../../src/calibration/index.js';
import { criterion, llmCriterion, memoryStore, ReviewLoopError } from '../../../src/index.js';
import { fakeClock, fakeRandom, manualLimiter, settle } from '../../../src/testing/index.js';
import { answeringJudge } from '../../support/answering-judge.js';

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
    await expect(calibrate(fine, both)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('at least one example with one label'),
    });
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
    await expect(
      calibrate(llmCriterion({ id: 'x', question: 'x?' }), labelled),
    ).rejects.toMatchObject({ code: 'provider_missing' });
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
    const skipping = {
      id: 'skips',
      version: '1',
      tier: 'code' as const,
      review: async () => [
        { verdict: 'skipped' as const, criterion: 'skips', reason: 'nothing to do' },
      ],
    };
    expect(
      (await calibrate<string, string>(skipping, labelled.slice(0, 3))).examples,
    ).toMatchObject({ total: 3, judged: 0, skipped: 3 });
    const agent = {
      id: 'old',
      name: 'Old',
      description: '',
      severity: 'major' as const,
      validate: async (text: string) => ({ passed: fine(text), details: '' }),
    };
    expect((await calibrate<string, string>(agent as never, labelled.slice(30, 40))).judge.id).toBe(
      'old',
    );
    expect(
      (
        await calibrate((text: string) => text !== '', labelled.slice(0, 3), {
          id: 'full',
          version: '7',
        })
      ).judge,
    ).toMatchObject({ id: 'full' });
  });

  it('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const slow = async (): Promise<boolean> => {
      controller.abort(new Error('enough'));
      return true;
    };
    await expect(
      calibrate(slow, labelled, { id: 'slow', signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'cancelled' });
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
    const odd = await calibrate(
      fine,
      [{ task: 'x', output: 3n as never, label: 'pass' }],
      {},
    ).catch((error: unknown) => error);
    expect(odd).toMatchObject({
      code: 'not_json',
      message: expect.stringContaining('example #1: found a bigint at $.output'),
    });
    for (const options of [{ repetitions: 1001 }, { repetitions: 1e9 }, { resamples: 1e9 }])
      await expect(calibrate(fine, labelled, options)).rejects.toMatchObject({
        code: 'invalid_options',
      });
  });
});
