import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type Assessment,
  definePipeline,
  memoryStore,
  memoryVerdicts,
  type PipelineOptions,
  type Reviewer,
  type ReviewerContext,
  ReviewLoopError,
  type VerdictStore,
} from '@/index.js';
import type { StoredVerdict } from '@/ports/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock } from '@/testing/index.js';
import {
  failed,
  growing,
  passed,
  pipelineOf,
  reviewer,
  suspended,
  untilNoGap,
  working,
} from './support.js';

/** A judge that keeps what it answers in a step, and counts how often it really does. */
function paid(answers: readonly boolean[], version = '1') {
  const asked: string[] = [];
  const judge = reviewer<string>(
    'judge',
    async ({ output }, context) => {
      const found = await context.check(schema, async () => {
        asked.push(output);
        const answer = answers[Math.min(asked.length, answers.length) - 1];
        if (answer === undefined) throw new Error('down');
        return { passed: answer };
      });
      return [found.passed ? passed('judge') : failed('judge')];
    },
    { version },
  );
  return { judge, asked };
}

const schema = z.object({ passed: z.boolean() });

/** A store of verdicts whose content the test decides. */
function open() {
  const held = new Map<string, StoredVerdict>();
  const store: VerdictStore = {
    get: async (key) => held.get(key),
    put: async (key, verdict) => void held.set(key, verdict),
  };
  return { held, store };
}

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  pipelineOf({ human: { policy: 'require' }, retries: 0, ...more });

/** Replaces each verdict by a failure. */
function refute(held: Map<string, StoredVerdict>): void {
  const assessments = [failed('judge') as Extract<Assessment, { verdict: 'fail' }>];
  for (const [key, verdict] of held) held.set(key, { ...verdict, assessments });
}

const approve = { kind: 'approve', by: 'Ann' } as const;

describe('a run that is resumed', () => {
  it.each<[string, (held: Map<string, StoredVerdict>) => void]>([
    ['lost it', (held) => held.clear()],
    ['says something else', refute],
  ])('takes the verdict again that it took from the store, which %s since', async (_, change) => {
    const { held, store: verdicts } = open();
    const store = memoryStore();
    const { judge, asked } = paid([true]);
    await pipeline({ reviewers: [judge], verdicts }).run('task');
    const process = () => pipeline({ reviewers: [judge], verdicts, store });
    const before = suspended(await process().run('task', { runId: 'r' }));
    expect(before.reviews[0]?.reused?.verdicts).toBe(1);
    change(held);
    const after = await process().answer(before.requests[0], approve);
    expect(after).toMatchObject({ status: 'approved', code: 'person_approved' });
    expect(after.reviews[0]).toEqual({
      ...before.reviews[0],
      at: expect.any(String),
      durationMs: expect.any(Number),
    });
    expect(asked).toEqual(['x']);
    const steps = (await store.read('r'))?.flatMap((record) =>
      record.type === 'step' ? [record.name] : [],
    );
    expect(steps).toEqual(['produce', 'iter:1/verdict:judge']);
  });

  it('replays the answer that it paid for itself, whatever other runs have been told since', async () => {
    const { held, store: verdicts } = open();
    const store = memoryStore();
    const { judge, asked } = paid([true]);
    const process = () => pipeline({ reviewers: [judge], verdicts, store });
    const before = suspended(await process().run('task', { runId: 'r' }));
    expect(held.size).toBe(1);
    refute(held);
    const after = await process().answer(before.requests[0], approve);
    expect(after).toMatchObject({ status: 'approved' });
    expect(after.reviews[0]?.reused).toBeUndefined();
    expect(asked).toEqual(['x']);
  });

  it.each([
    ['with a store of verdicts', true],
    ['without one', false],
  ])(
    '%s: a changed prompt, model or rule is judged again, an unchanged one is replayed, a failure is not',
    async (_, kept) => {
      const verdicts = kept ? { verdicts: memoryVerdicts() } : {};
      const store = memoryStore();
      const same = paid([true]);
      const changing = paid([false], 'prompt 1');
      const flaky = paid([]);
      const named = (id: string, { judge }: ReturnType<typeof paid>) => ({
        ...judge,
        id,
        review: async (...given: Parameters<typeof judge.review>) =>
          ((await judge.review(...given)) as readonly Assessment[]).map((each) => ({
            ...each,
            criterion: id,
          })),
      });
      const statusOf = async (changed: ReturnType<typeof paid>, down: ReturnType<typeof paid>) => {
        const judges = [named('same', same), named('changing', changed), named('flaky', down)];
        const run = pipeline({ reviewers: judges, store, ...verdicts });
        return (await run.run('task', { runId: 'r' })).status;
      };
      expect(await statusOf(changing, flaky)).toBe('inconclusive');
      const [changed, up] = [paid([true], 'prompt 2'), paid([true])];
      expect(await statusOf(changed, up)).toBe('suspended');
      for (const { asked } of [same, changing, flaky, changed, up]) expect(asked).toHaveLength(1);
    },
  );
});

it('the verdict of a judge whose call of a model was replayed is kept for later runs, also where the judge computes something beside', async () => {
  const verdicts = memoryVerdicts();
  const store = memoryStore();
  let calls = 0;
  const work = async ({ check }: ReviewerContext) => {
    await check(z.number(), async () => (calls += 1), 'model');
    await check(z.boolean(), () => true, 'rule');
  };
  const base = { work, store };
  const human = { policy: 'require' } as const;
  const first = pipelineOf({ ...base, human });
  const [request] = suspended(await first.run('task', { runId: 'r' })).requests;
  await pipelineOf({ ...base, human, verdicts }).answer(request, approve);
  const later = await pipelineOf({ ...base, verdicts }).run('task');
  expect(later.review?.reused).toMatchObject({ verdicts: 1 });
  expect(calls).toBe(1);
});

it('a run that goes on takes the verdict that another run got meanwhile, where it had not asked', async () => {
  const verdicts = memoryVerdicts();
  const asked: string[] = [];
  const ask = async () => asked.push('model');
  const model = working('model', ({ step }) => step('ask', { input: 0, schema: z.number() }, ask), {
    tier: 'model',
  });
  const person = working('person', async (context) => {
    await context.step('look', { input: 0, schema: z.string() }, async () => 'seen');
    await context.ask('fine', { question: 'fine?', allowed: ['approve'], gaps: [] });
  });
  const pipeline = (reviewers: readonly (typeof model)[]) => pipelineOf({ reviewers, verdicts });
  const first = pipeline([person, model]);
  const { requests } = suspended(await first.run('task', { runId: 'r' }));
  expect(asked).toEqual([]);
  expect(await pipeline([model]).run('task')).toMatchObject({ status: 'approved' });
  const outcome = await first.answer(requests[0], approve);
  expect(outcome).toMatchObject({ status: 'approved', review: { reused: { verdicts: 1 } } });
  expect(asked).toEqual(['model']);
});

interface Page {
  readonly title: string;
  readonly body: string;
}

/** A judge of the title, which is the same in every version, and what it is asked. */
function ofTitle(more: Partial<Reviewer<unknown, Page>> = {}) {
  const asked: unknown[] = [];
  const judge = reviewer<Page>(
    'title',
    async ({ output }, context) => {
      asked.push(output);
      context.reportUsage({ totalTokens: 10 });
      return [passed('title')];
    },
    { scope: ({ output }) => output.title as never, ...more },
  );
  return { asked, judge };
}

const ofBody = reviewer<Page>('body', async ({ output: { body } }) => [
  body.length > 2 ? passed('body') : failed('body', `too short: ${body}`),
]);

const run = (
  reviewers: readonly Reviewer<unknown, Page>[],
  more: Partial<PipelineOptions<string, Page>> = {},
) =>
  definePipeline<string, Page>({
    produce: async () => ({ title: 'Tea', body: 'a' }),
    address: async ({ title, body }) => ({ title, body: `${body}a` }),
    reviewers,
    policy: untilNoGap,
    ...more,
  }).run('task');

describe('a judge whose part of the version stays the same', () => {
  it('is asked once in a run, and the later reviews tell what that saved', async () => {
    const { asked, judge } = ofTitle();
    const outcome = await run([judge, ofBody]);
    expect(outcome.approved).toBe(true);
    expect(asked).toEqual(['Tea']);
    const saved = { verdicts: 1, saved: { totalTokens: 10 } };
    expect(outcome.reviews.map(({ reused }) => reused)).toEqual([undefined, saved, saved]);
    expect(outcome.usage.review).toEqual({ totalTokens: 10 });
  });

  it('is asked in each run, but once, if its verdicts are kept for a run only', async () => {
    const verdicts = memoryVerdicts();
    const { asked, judge } = ofTitle({ reuse: 'run' });
    await run([judge, ofBody], { verdicts });
    await run([judge, ofBody], { verdicts });
    expect(asked).toEqual(['Tea', 'Tea']);
  });

  it('is asked again if it could not judge one of its criteria', async () => {
    let asked = 0;
    const judge = reviewer<Page>(
      'title',
      async () => {
        asked += 1;
        const error = new ReviewLoopError('timeout', 'no answer');
        const spelled = { verdict: 'errored', criterion: 'spelling', error } as const;
        return [passed('length'), asked === 1 ? spelled : passed('spelling')];
      },
      { scope: ({ output }) => output.title as never },
    );
    const outcome = await run([judge, ofBody], { retries: 0 });
    expect(outcome.approved).toBe(true);
    expect(asked).toBe(2);
  });
});

describe('the verdict that is kept for later runs', () => {
  it('has what it depends on, what was said, its usage and its time, and cannot be changed', async () => {
    const kept: Parameters<VerdictStore['put']>[] = [];
    const inner = memoryVerdicts();
    const verdicts: VerdictStore = {
      ...inner,
      put: async (key, verdict) => {
        kept.push([key, verdict]);
        await inner.put(key, verdict);
      },
    };
    const work = (context: ReviewerContext) =>
      context.step('ask', { input: 0, schema: z.string() }, async () => {
        context.reportUsage({ totalTokens: 7 });
        return 'yes';
      });
    const judge = working('r', work, { version: '4' });
    const ask = () =>
      pipelineOf({ reviewers: [judge], verdicts, clock: fakeClock(5000) }).run('task');
    const first = await ask();
    expect(kept).toHaveLength(1);
    const [[key, verdict] = []] = kept;
    expect(verdict).toEqual({
      schema: 1,
      about: {
        reviewer: 'r',
        version: '4',
        task: expect.stringMatching(/^[0-9a-f]{64}$/),
        view: first.version,
      },
      assessments: [passed('r')],
      usage: { totalTokens: 7 },
      at: 5000,
    });
    expect(Object.isFrozen(verdict?.assessments)).toBe(true);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const second = await ask();
    expect(second.review).toMatchObject({
      assessments: [passed('r')],
      reused: { verdicts: 1, saved: { totalTokens: 7 } },
    });
    expect(second.usage.review).toEqual({});
    expect(kept).toHaveLength(1);
  });

  it('is none of a reviewer that judged nothing, which is no reason for a warning', async () => {
    const warned: unknown[] = [];
    const kept: string[] = [];
    await pipelineOf({
      judge: async (_, context) => {
        await context.step('ask', { input: 0, schema: z.string() }, async () => 'no');
        return [{ verdict: 'skipped', criterion: 'r', reason: 'does not apply' }];
      },
      verdicts: { ...memoryVerdicts(), put: async (key) => void kept.push(key) },
      logger: { ...silentLogger, warn: (fields) => warned.push(fields) },
    }).run('task');
    expect([kept, warned]).toEqual([[], []]);
  });
});

describe('reviewers that receive earlier reviews', () => {
  it('are asked again only where task, version or history differ', async () => {
    const verdicts = memoryVerdicts();
    const times = async (start: string): Promise<number> => {
      const asked: string[] = [];
      const judge = judging(asked, (output) => output.includes('xx'));
      const outcome = await growing(start, [judge], { verdicts }).run('task');
      expect(outcome.approved).toBe(true);
      return asked.length;
    };
    expect([await times('a'), await times('a')]).toEqual([3, 0]);
    // the same last versions, but come by another way
    expect(await times('ax')).toBe(2);
    expect(await times('ax')).toBe(0);
  });
});

const long = reviewer<string>('long', async ({ output }) => [
  output.endsWith('xxx') ? passed('long') : failed('long'),
]);

/** A reviewer that works, and then says what a test decides. */
function judging(
  asked: string[],
  says: (output: string) => boolean,
  more: Partial<Reviewer<unknown, string>> = {},
) {
  return reviewer<string>(
    'judge',
    async ({ output }) => {
      asked.push(output);
      return [says(output) ? passed('judge') : failed('judge')];
    },
    more,
  );
}

describe('the verdict of a reviewer with a scope', () => {
  const scoped = (asked: string[]) =>
    judging(asked, () => true, { scope: ({ output }) => output[0] });

  it('is taken from another run, whatever was reviewed before it there and here', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    await growing('ax', [long, scoped(asked)], { verdicts }).run('task');
    expect(asked).toEqual(['a']);
    const other = growing('b', [long, scoped(asked)], {
      verdicts,
      address: async (output) => (output === 'b' ? 'axx' : `${output}x`),
    });
    expect(await other.run('task')).toMatchObject({ status: 'approved', output: 'axxx' });
    expect(asked).toEqual(['a', 'b']);
  });
});

describe('the verdict of a reviewer that reads earlier reviews', () => {
  it('is asked for again as long as one of these has a judge that failed', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    // an error of another copy of this package is data
    const error = {
      ...{ name: 'Error', message: 'down', what: 'down', code: 'x', kind: 'judge', fix: 'Wait.' },
      retryable: false,
      [Symbol.for('reviewloop.error')]: true,
    } as never;
    const failsOnce = () => {
      let times = 0;
      const review = async (): Promise<Assessment[]> => {
        times += 1;
        const down = { verdict: 'errored', criterion: 'fails-once', error } as const;
        return [times === 1 ? down : passed('fails-once'), passed('other')];
      };
      return reviewer<string>('fails-once', review, { reuse: 'run' });
    };
    const once = () =>
      growing('x', [long, failsOnce(), judging(asked, () => true)], { verdicts }).run('task');
    expect(await once()).toMatchObject({ status: 'approved' });
    expect(asked).toEqual(['x', 'xx', 'xxx']);
    asked.length = 0;
    expect(await once()).toMatchObject({ status: 'approved' });
    expect(asked).toEqual(['xx', 'xxx']);
  });

  it('does not depend on when the earlier reviews were made, and at what cost', async () => {
    const verdicts = memoryVerdicts();
    const asked: string[] = [];
    const costly = (costUsd: number) =>
      working('costly', ({ reportUsage }) => reportUsage({ costUsd }), { reuse: 'run' });
    const once = (at: number) =>
      growing('x', [long, costly(at), judging(asked, () => true)], {
        verdicts,
        clock: fakeClock(at),
      }).run('task');
    await once(1000);
    await once(2000);
    expect(asked).toEqual(['x', 'xx', 'xxx']);
  });
});
