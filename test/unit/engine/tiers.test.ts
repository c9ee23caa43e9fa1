import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore, type Reviewer } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { deferred, failed, never, passed, reviewer, suspended } from './support.js';

const approve = { kind: 'approve', by: 'Ann' } as const;

const asks = (id: string, more: Partial<Reviewer<unknown, string>> = {}) =>
  reviewer<string>(
    id,
    async (_, context) => {
      await context.ask('ok', { question: `${id}?`, allowed: ['approve'], gaps: [] });
      return [passed(id)];
    },
    more,
  );

describe('a stage in which a reviewer waits for a person', () => {
  it('waits for those that work, and not for those whose turn comes after the answer', async () => {
    const work = deferred<boolean>();
    const log: string[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      store: memoryStore(),
      reviewers: [
        asks('person'),
        reviewer<string>('busy', async (_, context) => {
          await context.check(z.boolean(), () => work.promise);
          log.push('busy is done');
          return [passed('busy')];
        }),
        reviewer<string>(
          'later',
          async () => {
            log.push('later is asked');
            return [passed('later')];
          },
          { after: ['person'] },
        ),
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
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      store: memoryStore(),
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
    const running = definePipeline<string, string>({
      produce: async () => 'x',
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
    const works = reviewer<string>('works', async (_, context) => {
      for (let call = 0; call < 5; call += 1)
        await context.check(
          z.boolean(),
          () => new Promise<boolean>((resolve) => setImmediate(resolve, true)),
          `call ${call}`,
        );
      return [passed('works')];
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
    const joins = reviewer<string>('joins', async (_, context) => {
      setTimeout(() => call.resolve(), 0);
      await context.join(call.promise);
      return [passed('joins')];
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
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
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
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer<string>('a', () => {
          controller.abort(new Error('stop'));
          return never();
        }),
      ],
      clock,
    }).run('task', { signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'cancelled', output: 'x', reviews: [] });
    expect(clock.pending).toBe(0);
  });
});
