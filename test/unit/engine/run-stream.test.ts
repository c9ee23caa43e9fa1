import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type PipelineOptions,
  type ReviewEvents,
  type RunEvent,
  thresholds,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/fake-clock.js';
import { deferred, failed, never, passed, reviewer } from './support.js';

const judged = ({ output }: { readonly output: string }) =>
  output.endsWith('!') ? [passed('a')] : [failed('a')];

const options: PipelineOptions<string, string> = {
  produce: async () => 'x',
  address: async (output) => `${output}!`,
  reviewers: [reviewer<string>('a', async (view) => judged(view))],
};

const names = [
  'run-start',
  'produce-start',
  'produce-end',
  'version-produce',
  'review-start',
  'reviewer-start',
  'reviewer-end',
  'review-end',
  'fix-apply',
  'address-start',
  'address-end',
  'human-request',
  'budget-warn',
  'run-end',
] as const satisfies readonly (keyof ReviewEvents)[];

const listeners = (hear: (name: string, payload: object) => void) =>
  Object.fromEntries(names.map((name) => [name, (payload: object) => hear(name, payload)]));

describe('the stream of a run', () => {
  it('gives its events in order, then the outcome', async () => {
    const stream = definePipeline<string, string>(options).stream('task');
    const events: RunEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ type, iteration }) => `${iteration} ${type}`)).toEqual([
      '1 run-start',
      '1 produce-start',
      '1 produce-end',
      '1 version-produce',
      '1 review-start',
      '1 reviewer-start',
      '1 reviewer-end',
      '1 review-end',
      '1 address-start',
      '1 address-end',
      '2 version-produce',
      '2 review-start',
      '2 reviewer-start',
      '2 reviewer-end',
      '2 review-end',
      '2 run-end',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'approved', durationMs: expect.any(Number) });
    expect((await stream.outcome).status).toBe('approved');
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('gives what listeners hear, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 4 }),
        fc.boolean(),
        async (judges, fixes, breaks) => {
          const heard: object[] = [];
          const streamed: object[] = [];
          const stream = definePipeline<string, string>({
            ...options,
            address: async (output) => {
              if (breaks && output.length > 1) throw new Error('broken');
              return `${output}.`;
            },
            reviewers: Array.from({ length: judges }, (_, index) =>
              reviewer<string>(`j${index}`, async ({ output }) => {
                for (let wait = 0; wait < index; wait += 1) await Promise.resolve();
                return [output.length > fixes ? passed(`j${index}`) : failed(`j${index}`)];
              }),
            ),
          }).stream('task', { on: listeners((type, payload) => heard.push({ type, ...payload })) });
          for await (const event of stream) streamed.push(event);
          expect(streamed).toEqual(heard);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('marks what is replayed', async () => {
    const pipeline = definePipeline<string, string>({ ...options, human: { policy: 'require' } });
    await pipeline.run('task', { runId: 'r' });
    const marks = new Set<unknown>();
    for await (const event of pipeline.stream('task', { runId: 'r' })) marks.add(event.replayed);
    expect([...marks]).toEqual([true]);
  });
});

describe('leaving the stream of a run', () => {
  it('cancels the run, and waits until it has ended', async () => {
    const signals: AbortSignal[] = [];
    const ends: string[] = [];
    const stream = definePipeline<string, string>({
      ...options,
      produce: (_, { signal }) => {
        signals.push(signal);
        return never();
      },
    }).stream('task', { on: { 'run-end': ({ status }) => ends.push(status) } });
    for await (const event of stream) if (event.type === 'produce-start') break;
    expect(ends).toEqual(['cancelled']);
    expect(signals[0]?.aborted).toBe(true);
    expect((await stream.outcome).status).toBe('cancelled');
  });

  it('while `next` waits for an event ends that wait, too', async () => {
    const stream = definePipeline<string, string>({ ...options, produce: () => never() }).stream(
      'task',
    );
    await stream.next();
    await stream.next();
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect((await stream.outcome).status).toBe('cancelled');
  });

  it('at its last event cancels nothing', async () => {
    const stream = definePipeline<string, string>(options).stream('task');
    for await (const event of stream) if (event.type === 'run-end') break;
    expect((await stream.outcome).status).toBe('approved');
  });

  it('passes on the error of the loop, and keeps no listener of the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const stream = definePipeline<string, string>(options).stream('task', { signal });
    const loop = async (): Promise<void> => {
      for await (const event of stream) throw new Error(`stop at ${event.type}`);
    };
    await expect(loop()).rejects.toThrow('stop at run-start');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('a stream that is misused', () => {
  it.each([
    ['an unknown option', { runID: 'r' }, /no option `runID`/],
    ['a listener that is no function', { on: { 'run-end': 1 } }, /listener/],
    ['an invalid run id', { runId: '' }, /runId/],
  ])('by %s rejects the first `next` and the outcome', async (_, given, message) => {
    const pipeline = definePipeline<string, string>(options);
    const stream = pipeline.stream('task', given as never);
    await expect(stream.next()).rejects.toThrow(message);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    await expect(stream.outcome).rejects.toThrow(message);
    await expect(pipeline.stream('task', given as never).return()).rejects.toThrow(message);
  });

  it('without `produce` rejects', async () => {
    const { produce: _, ...rest } = options;
    const stream = definePipeline<string, string>(rest).stream('task');
    await expect(stream.next()).rejects.toMatchObject({ code: 'no_produce' });
  });
});

describe('a slow reader of a stream', () => {
  const chatty: PipelineOptions<string, string> = {
    ...options,
    reviewers: Array.from({ length: 100 }, (_, index) =>
      reviewer<string>(`j${index}`, async ({ output }) => [
        output.length > 5 ? passed(`j${index}`) : failed(`j${index}`),
      ]),
    ),
    policy: thresholds(),
    ranking: () => true,
    budget: { reviews: 10 },
  };

  it('is waited for before the next review, and misses nothing', async () => {
    const second = deferred<void>();
    const reviews: number[] = [];
    const stream = definePipeline<string, string>(chatty).stream('task', {
      on: {
        'review-start': ({ iteration }) => reviews.push(iteration),
        'address-end': ({ iteration }) => iteration === 2 && second.resolve(),
      },
    });
    await stream.next();
    await second.promise;
    for (let tick = 0; tick < 50; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(reviews).toEqual([1, 2]);
    let answers = 0;
    for await (const { type } of stream) answers += type === 'reviewer-end' ? 1 : 0;
    expect(reviews.length).toBeGreaterThan(2);
    expect(answers).toBe(reviews.length * 100);
  });

  it('that only wants the outcome is not waited for', async () => {
    const { outcome } = definePipeline<string, string>(chatty).stream('task');
    expect((await outcome).reviews.length).toBeGreaterThan(3);
  });

  it('does not keep a run beyond its timeout', async () => {
    const clock = fakeClock();
    const second = deferred<void>();
    const stream = definePipeline<string, string>({
      ...chatty,
      clock,
      budget: { reviews: 10, timeoutMs: 300 },
    }).stream('task', {
      on: { 'address-end': ({ iteration }) => iteration === 2 && second.resolve() },
    });
    await stream.next();
    await second.promise;
    clock.advance(300);
    expect((await stream.outcome).status).toBe('timed_out');
  });
});
