import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  criterion,
  type Logger,
  memoryVerdicts,
  type PipelineOptions,
  type Reviewer,
  type ReviewerContext,
  ReviewLoopError,
  type VerdictStore,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock } from '@/testing/index.js';
import { withCode } from '../../support/matchers.js';
import { throwing } from '../../support/throwing.js';
import {
  deferred,
  failed,
  growing,
  logged,
  never,
  passed,
  pipelineOf,
  reviewer,
  suspended,
  working,
} from './support.js';

type Options = Partial<PipelineOptions<string, string>>;

/** A reviewer that counts how often it is asked; it passes what holds the letter x. */
function counting(id = 'judge', more: Partial<Reviewer<unknown, string>> = {}) {
  const asked: string[] = [];
  const judge = reviewer<string>(
    id,
    async ({ output }, context) => {
      asked.push(output);
      const good = await context.step('model', { input: output, schema: z.boolean() }, async () => {
        context.reportUsage({ inputTokens: 100, costUsd: 0.5 });
        return output.includes('x');
      });
      return [good ? passed(id) : failed(id)];
    },
    more,
  );
  return { judge, asked };
}

const runWith = (
  reviewers: readonly Reviewer<unknown, string>[],
  verdicts: VerdictStore,
  more: Options = {},
  task = 'task',
) => pipelineOf({ reviewers, verdicts, ...more }).run(task);

/** A logger that keeps the codes of its warnings. */
function warnings() {
  const codes: unknown[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (fields) => void codes.push('code' in fields ? fields.code : undefined),
  };
  return { logger, codes };
}

const asks = ({ ask }: ReviewerContext) =>
  ask('ok', { question: 'Is it?', allowed: ['approve', 'reject'], gaps: [] });

/** A reviewer whose question never applies. */
const skipping = (more: Partial<Reviewer<unknown, string>>, onAsked: () => void) =>
  reviewer<string>(
    'skips',
    async () => {
      onAsked();
      return [{ verdict: 'skipped', criterion: 'skips', reason: 'no picture' }];
    },
    more,
  );

describe('verdicts that are kept over runs', () => {
  it('the same input gets the same verdict, and nobody is asked twice [NFR-004]', async () => {
    const { judge, asked } = counting();
    const verdicts = memoryVerdicts();
    const first = await runWith([judge], verdicts);
    const { logger, codes } = warnings();
    const second = await runWith([judge], verdicts, { logger });
    expect(codes).toEqual([]);
    expect(asked).toEqual(['x']);
    expect(second.status).toBe('approved');
    expect(second.reviews[0]?.assessments).toEqual(first.reviews[0]?.assessments);
    expect(first.usage.review).toEqual({ inputTokens: 100, costUsd: 0.5, totalTokens: 100 });
    expect(second.usage.review).toEqual({});
    expect(first.reviews[0]?.reused).toBeUndefined();
    expect(second.reviews[0]?.reused).toEqual({
      verdicts: 1,
      saved: { inputTokens: 100, costUsd: 0.5, totalTokens: 100 },
    });
  });

  it('a changed prompt, model, rule, task or input is judged again, an unchanged one is not', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    const ask = async ({
      id = 'judge',
      version = '1',
      task = 'task',
      output = 'x',
    }): Promise<void> => {
      const judge = counting(id, { version });
      await runWith([judge.judge], verdicts, { produce: async () => output }, task);
      asked.push(...judge.asked);
    };
    for (const change of [
      {},
      {},
      { version: 'another prompt' },
      { task: 'another task' },
      { output: 'xx' },
      { id: 'other' },
      {},
      { version: 'another prompt' },
      { output: 'xx' },
    ])
      await ask(change);
    expect(asked).toEqual(['x', 'x', 'x', 'xx', 'x']);
  });

  it('a failure is kept with its gaps, which are new in the next run', async () => {
    const { judge, asked } = counting();
    const verdicts = memoryVerdicts();
    const gaps = async () =>
      (await runWith([judge], verdicts, { produce: async () => 'o' })).reviews[0]?.gaps;
    const [first, second] = [await gaps(), await gaps()];
    expect(asked).toEqual(['o']);
    expect(second).toEqual(first);
    expect(second).toMatchObject([{ description: 'wrong', lifecycle: 'new' }]);
  });

  it('a judge that failed is asked again in the next run', async () => {
    let asked = 0;
    const flaky = working('flaky', () => {
      asked += 1;
      if (asked === 1) throw new Error('down');
    });
    const error = Object.assign(new Error('x'), {
      ...{ code: 'x', kind: 'judge' as const, fix: 'Fix x.', retryable: false },
      [Symbol.for('reviewloop.error')]: true,
    });
    const partly = reviewer<string>('partly', async () => [
      passed('a'),
      asked === 1 ? { verdict: 'errored', criterion: 'b', error } : passed('b'),
    ]);
    const verdicts = memoryVerdicts();
    const run = () => runWith([flaky, partly], verdicts, { retries: 0 });
    expect((await run()).status).toBe('inconclusive');
    expect((await run()).status).toBe('approved');
    expect(asked).toBe(2);
    expect((await run()).review?.reused).toMatchObject({ verdicts: 2 });
  });

  it('is not used for confirming judges, with `reuse: false`, and for a model that skipped everything or a proposal', async () => {
    const verdicts = memoryVerdicts();
    for (const [more, options] of [
      [{ tier: 'confirm' }, {}],
      [{}, { reuse: false }],
      [{ reuse: 'run' }, {}],
    ] as const) {
      const { judge, asked } = counting('judge', more);
      await runWith([judge], verdicts, options);
      await runWith([judge], verdicts, options);
      expect(asked).toHaveLength(2);
    }
    let asked = 0;
    const skips = skipping({ tier: 'model', scope: ({ output }) => output }, () => {
      asked += 1;
    });
    const proposes = reviewer<string>('proposes', async ({ output }) => {
      asked += 1;
      return { assessments: [passed('proposes')], proposal: output };
    });
    for (let times = 0; times < 2; times += 1) await runWith([skips, proposes], verdicts);
    expect(asked).toBe(4);
  });

  it('is used for code with a scope that skipped everything: it would say so again', async () => {
    const verdicts = memoryVerdicts();
    let asked = 0;
    const count = () => {
      asked += 1;
    };
    const skips = skipping({ scope: ({ output }) => output }, count);
    const [first, second] = [await runWith([skips], verdicts), await runWith([skips], verdicts)];
    expect(asked).toBe(1);
    const whole = skipping({ version: '2' }, count);
    for (let times = 0; times < 2; times += 1) await runWith([whole], verdicts);
    expect(asked).toBe(3);
    expect(second.status).toBe(first.status);
    expect(second.reviews[0]?.assessments).toEqual(first.reviews[0]?.assessments);
    expect(second.approved).toBe(false);
  });

  it('an answer of a person is never reused', async () => {
    const verdicts = memoryVerdicts();
    const pipeline = pipelineOf({ work: asks, verdicts });
    const [request] = suspended(await pipeline.run('task')).requests;
    const outcome = await pipeline.answer(request, { kind: 'approve', by: 'ann' });
    expect(outcome.approved).toBe(true);
    expect((await pipeline.run('task')).status).toBe('suspended');
  });

  it('what was only computed is computed again; a criterion without a version is asked again, and that is told', async () => {
    const { lines, logger } = logged('info');
    const asked: string[] = [];
    const note = (id: string): true => {
      asked.push(id);
      return true;
    };
    const reviewers = [
      criterion<string>('computed', () => note('computed'), { version: '1' }),
      criterion<string>('versioned', async () => note('versioned'), { version: '1' }),
      criterion<string>('unversioned', async () => note('unversioned')),
      criterion<string>('model', async () => note('model'), { tier: 'model' }),
    ];
    const verdicts = memoryVerdicts();
    await runWith(reviewers, verdicts, { logger });
    asked.splice(0);
    await runWith(reviewers, verdicts, { logger });
    expect(asked.sort()).toEqual(['computed', 'model', 'unversioned']);
    const told = lines.filter((fields) => 'reviewers' in fields);
    expect(told.at(-1)).toMatchObject({ reviewers: ['unversioned', 'model'] });
  });

  it('a criterion whose severity changed is judged again, although its version did not', async () => {
    const verdicts = memoryVerdicts();
    const gaps = async (severity: 'major' | 'minor') => {
      const tone = criterion<string>('tone', async () => 'loud', { severity, version: '1' });
      return (await runWith([tone], verdicts)).reviews[0]?.gaps.map((gap) => gap.severity);
    };
    expect([await gaps('major'), await gaps('minor')]).toEqual([['major'], ['minor']]);
  });
});

describe('a store of verdicts that cannot be trusted', () => {
  const good = async () => {
    const inner = memoryVerdicts();
    const { judge, asked } = counting();
    await runWith([judge], inner);
    return { inner, judge, asked };
  };

  const isAsNone = (name: string, change: (kept: object) => unknown, code = 'verdict_corrupt') =>
    it(`that gives ${name} is as good as none, and that is logged`, async () => {
      const { inner, judge, asked } = await good();
      const { logger, codes } = warnings();
      const store: VerdictStore = {
        ...inner,
        get: async (key) => change((await inner.get(key)) ?? {}) as never,
      };
      expect(await runWith([judge], store, { logger })).toMatchObject({ approved: true });
      expect(asked).toHaveLength(2);
      expect(codes).toEqual([code]);
    });

  isAsNone('nonsense', () => 'approved');
  isAsNone('null', () => null);
  isAsNone('a verdict with an error in it', (kept) => ({
    ...kept,
    assessments: [{ verdict: 'errored', criterion: 'judge', error: {} }],
  }));
  isAsNone('a pass that scores 0', (kept) => ({
    ...kept,
    assessments: [{ verdict: 'pass', criterion: 'judge', score: 0, explanation: '', gaps: [] }],
  }));
  isAsNone('no assessments', (kept) => ({ ...kept, assessments: [] }));
  isAsNone('the verdict about another task', (kept) => ({
    ...kept,
    about: { reviewer: 'judge', version: '1', task: 'other', view: 'other' },
  }));
  isAsNone('a verdict of a schema to come', (kept) => ({ ...kept, schema: 2 }), 'verdict_newer');

  const costsACall = (name: string, fails: () => unknown, code = 'verdict_unavailable') =>
    it(`that ${name} costs a call, never the run`, async () => {
      const { judge, asked } = counting();
      const { logger, codes } = warnings();
      const store = { get: fails, put: fails } as unknown as VerdictStore;
      expect(await runWith([judge], store, { logger })).toMatchObject({ approved: true });
      expect(asked).toHaveLength(1);
      expect(codes).toEqual([code, code]);
    });

  costsACall('throws', throwing('disk gone'));
  costsACall('rejects', () => Promise.reject(new Error('disk gone')));
  costsACall('says why', () => Promise.reject(new ReviewLoopError('timeout', 'slow')), 'timeout');
  costsACall('gives no promise', () => 7);

  it('is refused as an option when it is none', () => {
    for (const verdicts of [{}, null, 'folder', { get: async () => undefined }])
      expect(() => pipelineOf({ verdicts: verdicts as never })).toThrow(
        withCode('invalid_options'),
      );
  });
});

describe('two runs that need the same verdict at once', () => {
  it('ask once at a time, also after a run whose judge failed', async () => {
    const verdicts = memoryVerdicts();
    let asked = 0;
    const judge = working('judge', () => {
      asked += 1;
      if (asked === 1) throw new Error('down');
    });
    const run = () => runWith([judge], verdicts, { retries: 0 });
    expect((await run()).status).toBe('inconclusive');
    const outcomes = await Promise.all(Array.from({ length: 20 }, run));
    expect(outcomes.every(({ approved }) => approved)).toBe(true);
    expect(asked).toBe(2);
  });
  it('do not wait for one that failed longer than it takes, nor for a person', async () => {
    const verdicts = memoryVerdicts();
    const down = deferred<never>();
    let calls = 0;
    const judge = working('judge', () => {
      calls += 1;
      return calls === 1 ? down.promise : undefined;
    });
    const first = runWith([judge], verdicts, { retries: 0 });
    const second = runWith([judge], verdicts);
    down.reject(new Error('down'));
    expect([(await first).status, (await second).status]).toEqual(['inconclusive', 'approved']);
    const person = working('asks', asks);
    const both = await Promise.all([runWith([person], verdicts), runWith([person], verdicts)]);
    expect(both.map(({ status }) => status)).toEqual(['suspended', 'suspended']);
  });
});

it('a run that needs a verdict which another run is asking for waits no longer than a check may take, and then asks itself', async () => {
  const clock = fakeClock();
  const verdicts = memoryVerdicts();
  let asked = 0;
  const judge = working('judge', ({ step }) => {
    asked += 1;
    return asked === 1 && step('model', { input: 0, schema: z.never() }, () => never());
  });
  const slow = growing('xxx', [judge], { verdicts, clock, timeouts: { checkMs: 60_000 } });
  const quick = growing('xxx', [judge], { verdicts, clock, timeouts: { checkMs: 1_000 } });
  const first = slow.run('task');
  await clock.advanceAsync(1);
  const second = quick.run('task');
  await clock.advanceAsync(998);
  expect(asked).toBe(1);
  await clock.advanceAsync(10);
  expect(await second).toMatchObject({ status: 'approved' });
  expect(asked).toBe(2);
  await clock.advanceAsync(60_000);
  expect((await first).status).not.toBe('approved');
});

it.each([
  ['for a run whose checks may take minutes', 300_000, 10_000],
  ['for a run whose checks take a second', 1_000, 1_000],
])('a store of verdicts that does not answer costs seconds, %s', async (_, checkMs, waited) => {
  const clock = fakeClock();
  const asked: number[] = [];
  const { logger, codes } = warnings();
  const store: VerdictStore = { get: () => never(), put: () => never() };
  const judge = working('judge', () => asked.push(clock.now()));
  const options = { verdicts: store, clock, logger, timeouts: { checkMs } };
  const running = growing('xxx', [judge], options).run('task');
  await clock.advanceAsync(waited);
  await clock.advanceAsync(waited);
  expect(await running).toMatchObject({ status: 'approved' });
  expect(asked).toEqual([waited]);
  expect(codes).toEqual(['timeout', 'timeout']);
});
