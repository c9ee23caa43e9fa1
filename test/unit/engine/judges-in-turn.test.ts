import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, type ReviewEvents, type Reviewer } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { deferred, never, passed, reviewer } from './support.js';

type Ended = Parameters<ReviewEvents['reviewer-end']>[0];

describe('the events of a judge', () => {
  it('say who, what, how long and for how much', async () => {
    const clock = fakeClock(5000);
    const ended: Ended[] = [];
    const started: object[] = [];
    const outcome = await definePipeline<string, string>({
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
        reviewer(
          'quick',
          async () => {
            throw new Error('down');
          },
          { tier: 'model' },
        ),
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
});

describe('a run that is cancelled', () => {
  const cancelled = async (
    reviewers: (cancel: () => void) => readonly Reviewer<unknown, string>[],
    on: (cancel: () => void) => Partial<ReviewEvents> = () => ({}),
  ) => {
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new Error('stop'));
    const started: string[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: reviewers(cancel),
    }).run('task', {
      signal: controller.signal,
      on: { 'reviewer-start': ({ reviewer: id }) => started.push(id), ...on(cancel) },
    });
    expect(outcome).toMatchObject({ status: 'cancelled', output: 'x', reviews: [] });
    return started;
  };

  it('as a review begins asks nobody', async () => {
    const asked: string[] = [];
    const judge = reviewer<string>('a', async () => {
      asked.push('a');
      return [passed('a')];
    });
    const started = await cancelled(
      () => [judge],
      (cancel) => ({ 'review-start': cancel }),
    );
    expect([...started, ...asked]).toEqual([]);
  });

  it('while a judge works asks none of those that wait for it', async () => {
    const started = await cancelled((cancel) => [
      reviewer<string>('first', async () => {
        cancel();
        return [passed('first')];
      }),
      reviewer<string>('second', async () => [passed('second')], { after: ['first'] }),
    ]);
    expect(started).toEqual(['first']);
  });
});

describe('judges of one tier', () => {
  it('are asked at the same time, and those that wait as soon as those before answered', async () => {
    const [one, two] = [deferred<void>(), deferred<void>()];
    const log: string[] = [];
    const waits = (id: string, until: Promise<void> | undefined, after?: readonly string[]) =>
      reviewer<string>(
        id,
        async () => {
          log.push(`${id} begins`);
          await until;
          log.push(`${id} ends`);
          return [passed(id)];
        },
        { after },
      );
    const running = definePipeline<string, string>({
      produce: async () => 'x',
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
    expect(outcome.reviews[0]?.assessments.map(({ criterion }) => criterion)).toEqual([
      ...['one', 'two', 'three', 'four'],
    ]);
  });
});

describe('a judge that is given up', () => {
  it('in its second try has the whole time of a check again', async () => {
    const clock = fakeClock();
    let tries = 0;
    const ends: number[] = [];
    const running = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer<string>('stuck', () => {
          tries += 1;
          if (tries === 1) throw new Error('down');
          return never();
        }),
      ],
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
            { verdict: 'errored', criterion: 'stuck', error: { code: 'timeout', retryable: true } },
          ],
        },
      ],
    });
    expect(ends).toHaveLength(1);
    expect(ends[0]).toBeGreaterThanOrEqual(1000);
    expect(ends[0]).toBeLessThanOrEqual(2000);
    expect(clock.pending).toBe(0);
  });
});
