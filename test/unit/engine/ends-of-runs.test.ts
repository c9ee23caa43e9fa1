import { describe, expect, it } from 'vitest';
import { definePipeline, type PipelineOptions } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { deferred, failed, never, passed, reviewer } from './support.js';

const pipeline = (more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    criteria: { fine: () => true },
    ...more,
  });

describe('a run that is cancelled', () => {
  it('before it begins does nothing, and says why', async () => {
    const cause = new Error('closed');
    let made = 0;
    const outcome = await pipeline({
      produce: async () => {
        made += 1;
        return 'x';
      },
    }).run('task', { runId: 'r', signal: AbortSignal.abort(cause) });
    expect(outcome).toMatchObject({ status: 'cancelled', code: 'cancelled', error: { cause } });
    expect(outcome.reason).toContain('closed');
    expect(made).toBe(0);
  });

  it('while it times out says what came first', async () => {
    for (const [first, status] of [
      ['signal', 'cancelled'],
      ['clock', 'timed_out'],
    ] as const) {
      const clock = fakeClock();
      const stop = new AbortController();
      const begun = deferred<void>();
      const running = pipeline({
        produce: () => {
          begun.resolve();
          return never();
        },
        budget: { timeoutMs: 1000 },
        clock,
      }).run('task', { signal: stop.signal });
      await begun.promise;
      if (first === 'signal') stop.abort();
      clock.advance(1000);
      stop.abort();
      expect(await running).toMatchObject({ status });
    }
  });
});

describe('a run that is over', () => {
  it('listens to no signal and keeps no timer', async () => {
    const clock = fakeClock();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    };
    const during: number[] = [];
    const outcome = await pipeline({
      produce: async () => {
        during.push(listeners, clock.pending);
        return 'x';
      },
      budget: { timeoutMs: 1000 },
      clock,
    }).run('task', { signal });
    expect(outcome.status).toBe('approved');
    expect(during.every((count) => count > 0)).toBe(true);
    expect([listeners, clock.pending]).toEqual([0, 0]);
  });
});

describe('the event for the beginning of a review', () => {
  it('has the version, its place and the number of reviewers', async () => {
    const told: unknown[] = [];
    const versions: unknown[] = [];
    await pipeline({
      address: async () => 'good',
      reviewers: [
        reviewer<string>('a', async ({ output }) => [
          output === 'good' ? passed('a') : failed('a'),
        ]),
        reviewer<string>('b', async () => [passed('b')]),
      ],
      criteria: {},
    }).run('task', {
      runId: 'r',
      on: {
        'version-produce': ({ digest, iteration }) => versions.push({ digest, iteration }),
        'review-start': (event) => told.push(event),
      },
    });
    expect(versions).toHaveLength(2);
    expect(told).toEqual(
      versions.map((version) => expect.objectContaining({ ...(version as object), reviewers: 2 })),
    );
  });
});

describe('the context of produce and address', () => {
  it('says which run and which review it belongs to', async () => {
    const seen: unknown[] = [];
    const note = ({ runId, iteration, lessons }: Record<string, unknown>) =>
      seen.push([runId, iteration, lessons]);
    await pipeline({
      produce: async (_, context) => {
        note({ ...context });
        return '0';
      },
      address: async (output, _, context) => {
        note({ ...context });
        return `${Number(output) + 1}`;
      },
      criteria: { high: (output) => output === '2' || 'too low' },
      policy: ({ review }) => {
        const [gap] = review.gaps;
        return gap === undefined
          ? { kind: 'approve', reason: 'fine' }
          : { kind: 'revise', reason: 'again', from: 'latest', blocking: [gap] };
      },
      learn: { relevantTo: async () => 'be brief' },
    }).run('task', { runId: 'r' });
    expect(seen).toEqual([
      ['r', 1, 'be brief'],
      ['r', 1, 'be brief'],
      ['r', 2, 'be brief'],
    ]);
  });
});
