import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { limiter, type Policy, type ReviewEvents, type Reviewer } from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { errorWith } from '../../support/matchers.js';
import {
  deferred,
  failed,
  type Loop,
  never,
  passed,
  passing,
  pipelineOf,
  reviewer,
  suspended,
  turn,
  working,
} from './support.js';

const approves: Policy = () => ({ kind: 'approve', reason: 'fine' });

const stop = { kind: 'stop', status: 'exhausted', code: 'enough', reason: 'enough' } as const;

const asking: Policy = () => ({ kind: 'ask', reason: 'r', question: '?', allowed: ['reject'] });

const accepts: Policy = () => ({ kind: 'accept', code: 'advisory', reason: 'they only advise' });

const most: Policy = ({ review: { assessments } }) =>
  assessments.filter(({ verdict }) => verdict === 'pass').length >= 3
    ? { kind: 'approve', reason: 'enough pass' }
    : stop;

const confirmed: Policy = ({ review: { assessments } }) =>
  assessments.some(({ criterion, verdict }) => criterion === 'confirm' && verdict === 'pass')
    ? { kind: 'approve', reason: 'confirmed' }
    : stop;

const complete: Policy = ({ review }) =>
  review.complete ? { kind: 'approve', reason: 'complete' } : stop;

const revises: Policy = ({ review: { gaps } }) => ({
  ...{ kind: 'revise', reason: 'on', from: 'latest', blocking: gaps as never },
});

const checks = ['one', 'two'];

const everybody = [...checks, 'model', 'confirm'];

/** Whether the checks pass, the options, who is asked, and how the run ends. */
const stages: readonly (readonly [string, boolean, Loop, readonly string[], string])[] = [
  ['all before passed', true, {}, everybody, 'approved'],
  ['all before passed, and any may fail', true, { failFast: false }, everybody, 'approved'],
  ['approval is impossible', false, {}, checks, 'exhausted'],
  [
    'one that confirms would be asked in vain',
    false,
    { failFast: false },
    everybody.slice(0, 3),
    'exhausted',
  ],
  ['the policy approves all the same', false, { policy: approves }, everybody, 'approved'],
  ['the policy cannot approve what is left', false, { policy: most }, checks, 'exhausted'],
  [
    'the policy approves once all that are left pass',
    true,
    { policy: most },
    everybody,
    'approved',
  ],
  ['the policy approves once one passes', true, { policy: confirmed }, everybody, 'approved'],
  ['the policy approves what is complete', true, { policy: complete }, everybody, 'approved'],
  ['the policy has no opinion', true, { policy: () => undefined }, everybody, 'inconclusive'],
  ['the policy asks a person', true, { policy: asking }, everybody, 'suspended'],
  ['the policy asks a person about a failure', false, { policy: asking }, everybody, 'suspended'],
  ['the policy accepts', true, { policy: accepts }, everybody, 'accepted'],
  ['the policy accepts a failure', false, { policy: accepts }, everybody, 'accepted'],
  ['the policy stops whatever they say', false, { policy: () => stop }, checks, 'exhausted'],
  ['the policy revises whatever they say', false, { policy: revises }, checks, 'exhausted'],
];

describe('the stages of a review', () => {
  it.each(stages)('are asked in order where %s', async (_, passes, more, asked, status) => {
    const log: string[] = [];
    const judge = (id: string, tier: 'code' | 'model' | 'confirm', isFine = true) =>
      reviewer<string>(
        id,
        async () => {
          log.push(id);
          return [isFine ? passed(id) : failed(id)];
        },
        { tier },
      );
    const outcome = await pipelineOf({
      reviewers: [
        judge('confirm', 'confirm'),
        judge('model', 'model'),
        judge('one', 'code', passes),
        judge('two', 'code', passes),
      ],
      ...more,
    }).run('task', { runId: 'r' });
    expect(log).toEqual(asked);
    expect(outcome.status).toBe(status);
    const skipped = outcome.reviews[0]?.assessments.filter(({ verdict }) => verdict === 'skipped');
    expect(skipped).toHaveLength(4 - asked.length);
    expect(outcome.reviews[0]).toMatchObject({
      complete: asked === everybody,
      scores: { judged: asked.length, total: 4 },
    });
  });

  it('are asked after a minor gap of a check, which leaves approval possible', async () => {
    const asked: string[] = [];
    await pipelineOf({
      reviewers: [
        reviewer('code', async () => [failed('code', 'small', { severity: 'minor' })]),
        working('model', () => asked.push('model'), { tier: 'model' }),
      ],
    }).run('task');
    expect(asked).toEqual(['model']);
  });
});

/** Reviewers that note when they begin and end. */
const noting =
  (log: string[]) =>
  (id: string, after?: readonly string[], more: Partial<Reviewer<unknown, string>> = {}) => {
    const work = async () => {
      log.push(`${id}+`);
      for (let turns = 0; turns < 3; turns += 1) await turn();
      log.push(`${id}-`);
    };
    return working(id, work, { ...(after && { after }), ...more });
  };

const run = (reviewers: readonly Reviewer<unknown, string>[]) =>
  pipelineOf({ reviewers, retries: 0, limiter: limiter({ concurrency: 8 }) }).run('t');

describe('`after` of a reviewer', () => {
  it('begins once all that it names have answered; the others begin at once', async () => {
    const log: string[] = [];
    const reviewer = noting(log);
    expect(
      (await run([reviewer('a'), reviewer('b'), reviewer('c', ['a', 'b']), reviewer('d')]))
        .approved,
    ).toBe(true);
    expect(log.slice(0, 3)).toEqual(['a+', 'b+', 'd+']);
    expect(log.indexOf('c+')).toBeGreaterThan(Math.max(log.indexOf('a-'), log.indexOf('b-')));
  });

  it('a chain goes one by one, and the answers stand in their order', async () => {
    const log: string[] = [];
    const reviewer = noting(log);
    const { reviews } = await run([reviewer('a'), reviewer('b', ['a']), reviewer('c', ['b'])]);
    expect(log).toEqual(['a+', 'a-', 'b+', 'b-', 'c+', 'c-']);
    expect(reviews[0]?.assessments.map(({ criterion }) => criterion)).toEqual(['a', 'b', 'c']);
  });

  it('one that fails has answered too: nobody waits for it for ever', async () => {
    const log: string[] = [];
    const reviewer = noting(log);
    const { status } = await run([
      reviewer('a', undefined, { review: () => Promise.reject(new Error('down')) }),
      reviewer('b', ['a']),
    ]);
    expect({ status, log }).toEqual({ status: 'inconclusive', log: ['b+', 'b-'] });
  });

  it('costs those nothing that wait for nobody: what is read of each does not grow with their number', async () => {
    const readsOfEach = async (count: number): Promise<number> => {
      let reads = 0;
      const counted = (id: string) =>
        Object.defineProperty(noting([])(id), 'id', {
          get: () => {
            reads += 1;
            return id;
          },
        });
      const pipeline = pipelineOf({
        reviewers: Array.from({ length: count }, (_, index) => counted(`r${index}`)),
      });
      reads = 0;
      expect((await pipeline.run('t')).approved).toBe(true);
      return reads / count;
    };
    expect(await readsOfEach(40)).toBe(await readsOfEach(10));
  });

  it('names reviewers that come earlier and are of the same stage', () => {
    const reviewer = noting([]);
    const refused = expect.objectContaining(errorWith('invalid_options', 'after of b'));
    for (const reviewers of [
      [reviewer('a'), reviewer('b', ['nobody'])],
      [reviewer('a'), reviewer('b', ['b'])],
      [reviewer('b', ['a']), reviewer('a')],
      [reviewer('a', undefined, { tier: 'model' }), reviewer('b', ['a'])],
    ])
      expect(() => pipelineOf({ reviewers })).toThrow(refused);
    expect(() => pipelineOf({ reviewers: [reviewer('a'), reviewer('b', ['a'])] })).not.toThrow();
  });
});

const approve = { kind: 'approve', by: 'Ann' } as const;

const asks = (id: string, more: Partial<Reviewer<unknown, string>> = {}) =>
  working(id, ({ ask }) => ask('ok', { question: `${id}?`, allowed: ['approve'], gaps: [] }), more);

describe('a stage in which a reviewer waits for a person', () => {
  it('waits for those that work, and not for those whose turn comes after the answer', async () => {
    const work = deferred<boolean>();
    const log: string[] = [];
    const pipeline = pipelineOf({
      reviewers: [
        asks('person'),
        working('busy', async (context) => {
          await context.check(z.boolean(), () => work.promise);
          log.push('busy is done');
        }),
        working('later', () => log.push('later is asked'), { after: ['person'] }),
      ],
    });
    const running = pipeline.run('task', { runId: 'r' });
    setImmediate(() => work.resolve(true));
    const waiting = suspended(await running);
    expect(log).toEqual(['busy is done']);
    expect(waiting.requests).toHaveLength(1);
    expect(waiting.reviews).toEqual([]);
    const outcome = await pipeline.answer(waiting.requests[0], approve);
    expect(outcome).toMatchObject({
      status: 'approved',
      reviews: [
        { assessments: [{ criterion: 'person' }, { criterion: 'busy' }, { criterion: 'later' }] },
      ],
    });
    expect(log).toEqual(['busy is done', 'busy is done', 'later is asked']);
  });

  it('asks the people of all its reviewers together', async () => {
    const pipeline = pipelineOf({
      reviewers: [asks('one'), asks('two'), asks('next', { tier: 'model' })],
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(waiting.requests.map(({ question }) => question)).toEqual(['one?', 'two?']);
    const half = suspended(await pipeline.answer(waiting.requests[0], approve));
    expect(half.requests.map(({ question }) => question)).toEqual(['two?']);
    const next = suspended(await pipeline.answer(half.requests[0], approve));
    expect(next.requests.map(({ question }) => question)).toEqual(['next?']);
    expect(await pipeline.answer(next.requests[0], approve)).toMatchObject({ status: 'approved' });
  });
});

describe('a reviewer that neither answers nor makes a call', () => {
  const stuck = async (checkMs: number, ...reviewers: Reviewer<unknown, string>[]) => {
    const clock = fakeClock();
    const ended: (readonly [string, number])[] = [];
    const running = pipelineOf({
      reviewers: [reviewer<string>('stuck', () => never()), ...reviewers],
      retries: 0,
      timeouts: { checkMs },
      clock,
    }).run('task', {
      on: { 'reviewer-end': ({ reviewer: id }) => void ended.push([id, clock.now()]) },
    });
    for (let step = 0; step < 20; step += 1) await clock.advanceAsync(100);
    return { ended, outcome: await running, clock };
  };

  it('is given up after the time of a check, and another one that works is not', async () => {
    const works = working('works', async ({ check }) => {
      for (let call = 0; call < 5; call += 1)
        await check(z.boolean(), () => turn().then(() => true), `call ${call}`);
    });
    const { ended, outcome, clock } = await stuck(500, works);
    const [last, at] = ended.at(-1) ?? ['', 0];
    expect(last).toBe('stuck');
    // it is looked at twice: a call may have ended just before
    expect([500, 1000]).toContain(at);
    expect(outcome).toMatchObject({
      status: 'inconclusive',
      reviews: [
        { assessments: [{ verdict: 'errored', error: { code: 'timeout' } }, { verdict: 'pass' }] },
      ],
    });
    expect(clock.pending).toBe(0);
  });

  it('is not given up while it waits for the call of another one', async () => {
    const call = deferred<void>();
    const joins = working('joins', (context) => {
      setTimeout(() => call.resolve(), 0);
      return context.join(call.promise);
    });
    const { outcome } = await stuck(500, joins);
    expect(outcome.reviews[0]?.assessments[1]).toMatchObject({ verdict: 'pass' });
  });
});

describe('a run that has ended', () => {
  it.each([
    ['approved', async () => [passed('a')]],
    ['exhausted', async () => [failed('a')]],
  ] as const)('as %s leaves no timer behind', async (status, review) => {
    const clock = fakeClock();
    const outcome = await pipelineOf({
      reviewers: [reviewer<string>('a', review)],
      timeouts: { checkMs: 1000, reviewMs: 2000, iterationMs: 3000 },
      budget: { timeoutMs: 4000 },
      clock,
    }).run('task');
    expect(outcome.status).toBe(status);
    expect(clock.pending).toBe(0);
  });

  it('in the middle of a review, by its signal, leaves none either', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const outcome = await pipelineOf({
      judge: () => {
        controller.abort(new Error('stop'));
        return never();
      },
      clock,
    }).run('task', { signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'cancelled', output: 'x', reviews: [] });
    expect(clock.pending).toBe(0);
  });
});

type Ended = Parameters<ReviewEvents['reviewer-end']>[0];

it('the events of a judge say who, what, how long and for how much', async () => {
  const clock = fakeClock(5000);
  const ended: Ended[] = [];
  const started: object[] = [];
  const outcome = await pipelineOf({
    produce: async () => {
      clock.advance(500);
      return 'x';
    },
    reviewers: [
      reviewer('slow', async (_, context) => {
        await context.check(z.boolean(), async () => {
          clock.advance(300);
          context.reportUsage({ totalTokens: 7 });
          return true;
        });
        return [passed('fine')];
      }),
      reviewer('quick', () => Promise.reject(new Error('down')), { tier: 'model' }),
    ],
    retries: 0,
    clock,
  }).run('task', {
    on: {
      'reviewer-start': (event) => started.push(event),
      'reviewer-end': (event) => ended.push(event),
    },
  });
  expect(started).toMatchObject([
    { reviewer: 'slow', iteration: 1 },
    { reviewer: 'quick', iteration: 1 },
  ]);
  expect(ended).toMatchObject([
    {
      reviewer: 'slow',
      iteration: 1,
      durationMs: 300,
      usage: { totalTokens: 7 },
      reused: false,
      assessments: [{ verdict: 'pass', criterion: 'fine' }],
    },
    {
      reviewer: 'quick',
      iteration: 1,
      durationMs: 0,
      usage: {},
      reused: false,
      assessments: [{ verdict: 'errored', criterion: 'quick' }],
    },
  ]);
  expect(outcome.reviews[0]?.assessments.map(({ criterion }) => criterion)).toEqual([
    'fine',
    'quick',
  ]);
});

describe('a run that is cancelled', () => {
  const cancelled = async (
    reviewers: (cancel: () => void) => readonly Reviewer<unknown, string>[],
    on: (cancel: () => void) => Partial<ReviewEvents> = () => ({}),
  ) => {
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new Error('stop'));
    const started: string[] = [];
    const outcome = await pipelineOf({ reviewers: reviewers(cancel) }).run('task', {
      signal: controller.signal,
      on: { 'reviewer-start': ({ reviewer: id }) => started.push(id), ...on(cancel) },
    });
    expect(outcome).toMatchObject({ status: 'cancelled', output: 'x', reviews: [] });
    return started;
  };

  it('as a review begins asks nobody', async () => {
    const asked: string[] = [];
    const judge = working('a', () => asked.push('a'));
    const started = await cancelled(
      () => [judge],
      (cancel) => ({ 'review-start': cancel }),
    );
    expect([...started, ...asked]).toEqual([]);
  });

  it('while a judge works asks none of those that wait for it', async () => {
    const started = await cancelled((cancel) => [
      working('first', cancel),
      passing('second', { after: ['first'] }),
    ]);
    expect(started).toEqual(['first']);
  });
});

it('judges of one tier are asked at the same time, and those that wait as soon as those before answered', async () => {
  const [one, two] = [deferred<void>(), deferred<void>()];
  const log: string[] = [];
  const waits = (id: string, until: Promise<void> | undefined, after?: readonly string[]) =>
    working(
      id,
      async () => {
        log.push(`${id} begins`);
        await until;
        log.push(`${id} ends`);
      },
      { after },
    );
  const running = pipelineOf({
    reviewers: [
      waits('one', one.promise),
      waits('two', two.promise),
      waits('three', undefined, ['one']),
      waits('four', undefined, ['one', 'two']),
    ],
  }).run('task', {
    on: { 'reviewer-end': ({ reviewer: id }) => void (id === 'three' && two.resolve()) },
  });
  one.resolve();
  const outcome = await running;
  expect(outcome.status).toBe('approved');
  expect(log).toEqual([
    ...['one begins', 'two begins', 'one ends', 'three begins', 'three ends'],
    ...['two ends', 'four begins', 'four ends'],
  ]);
  const answers = outcome.reviews[0]?.assessments.map(({ criterion }) => criterion);
  expect(answers).toEqual(['one', 'two', 'three', 'four']);
});

it('a judge that is given up in its second try has the whole time of a check again', async () => {
  const clock = fakeClock();
  let tries = 0;
  const ends: number[] = [];
  const running = pipelineOf({
    judge: () => {
      tries += 1;
      if (tries === 1) throw new Error('down');
      return never();
    },
    retries: 1,
    timeouts: { checkMs: 1000 },
    clock,
  }).run('task', { on: { 'reviewer-end': () => void ends.push(clock.now()) } });
  for (let step = 0; step < 30; step += 1) await clock.advanceAsync(100);
  const outcome = await running;
  expect(outcome).toMatchObject({
    status: 'inconclusive',
    reviews: [
      {
        assessments: [
          { verdict: 'errored', criterion: 'judge', error: { code: 'timeout', retryable: true } },
        ],
      },
    ],
  });
  expect(ends).toHaveLength(1);
  expect(ends[0]).toBeGreaterThanOrEqual(1000);
  expect(ends[0]).toBeLessThanOrEqual(2000);
  expect(clock.pending).toBe(0);
});
