import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span, SpanEnd } from '@/core/span.js';
import { known } from '@/engine/events.js';
import {
  definePipeline,
  type PipelineOptions,
  type RunEvent,
  type RunStream,
  thresholds,
} from '@/index.js';
import { fakeClock } from '@/testing/fake-clock.js';
import {
  deferred,
  exclaiming,
  failed,
  logged,
  never,
  only,
  openCheck,
  passed,
  pipelineOf,
  placeOf,
  reviewer,
  turns,
} from './support.js';

const listeners = (hear: (name: string, payload: object) => void) =>
  Object.fromEntries(
    Object.keys(known).map((name) => [name, (payload: object) => hear(name, payload)]),
  );

/** So many judges, who pass what is longer than this. */
const judges = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) =>
    reviewer<string>(`j${index}`, async ({ output }) => [
      output.length > length ? passed(`j${index}`) : failed(`j${index}`),
    ]),
  );

describe('the stream of a run', () => {
  it('gives its events in order, then the outcome', async () => {
    const stream = definePipeline<string, string>(exclaiming).stream('task');
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
          const stream = pipelineOf({
            ...exclaiming,
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
});

describe('leaving the stream of a run', () => {
  it('cancels the run, and waits until it has ended', async () => {
    const signals: AbortSignal[] = [];
    const ends: string[] = [];
    const stream = pipelineOf({
      ...exclaiming,
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
    const stream = pipelineOf({ ...exclaiming, produce: () => never() }).stream('task');
    await stream.next();
    await stream.next();
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect((await stream.outcome).status).toBe('cancelled');
  });

  it('at its last event cancels nothing', async () => {
    const stream = definePipeline<string, string>(exclaiming).stream('task');
    for await (const event of stream) if (event.type === 'run-end') break;
    expect((await stream.outcome).status).toBe('approved');
  });

  it('passes on the error of the loop, and keeps no listener of the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const stream = definePipeline<string, string>(exclaiming).stream('task', { signal });
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
    const pipeline = definePipeline<string, string>(exclaiming);
    const stream = pipeline.stream('task', given as never);
    await expect(stream.next()).rejects.toThrow(message);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    await expect(stream.outcome).rejects.toThrow(message);
    await expect(pipeline.stream('task', given as never).return()).rejects.toThrow(message);
  });

  it('without `produce` rejects', async () => {
    const { produce: _, ...rest } = exclaiming;
    const stream = definePipeline<string, string>(rest).stream('task');
    await expect(stream.next()).rejects.toMatchObject({ code: 'no_produce' });
  });
});

describe('a slow reader of a stream', () => {
  const chatty: PipelineOptions<string, string> = {
    ...exclaiming,
    reviewers: judges(100, 5),
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
    await turns(50);
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
    const stream = pipelineOf({ ...chatty, clock, budget: { reviews: 10, timeoutMs: 300 } }).stream(
      'task',
      { on: { 'address-end': ({ iteration }) => iteration === 2 && second.resolve() } },
    );
    await stream.next();
    await second.promise;
    clock.advance(300);
    expect((await stream.outcome).status).toBe('timed_out');
  });
});

const highWater = 256;

/** A run of two reviews with so many judges; `waiting` is how many events nobody has read yet. */
function chatty(count: number) {
  const state = { emitted: 0, read: 0, reviews: 0 };
  const improved = deferred<void>();
  const most: number[] = [];
  const stream = pipelineOf({
    address: async (output) => `${output}!`,
    reviewers: judges(count, 1),
  }).stream('task', {
    on: {
      ...listeners(() => {
        state.emitted += 1;
      }),
      'version-produce': ({ iteration }) => {
        state.emitted += 1;
        if (iteration === 2) improved.resolve();
      },
      'review-start': () => {
        most.push(state.emitted - state.read);
        state.reviews += 1;
        state.emitted += 1;
      },
    },
  });
  const read = async (): Promise<void> => {
    state.read += 1;
    await stream.next();
  };
  return { stream, state, most, read, improved: improved.promise };
}

describe('the reader of a stream', () => {
  it.each([
    [123, 0, 2],
    [124, 0, 1],
    [124, 1, 1],
    [124, 2, 2],
  ])('of %i judges who has read %i events sees %i reviews begin', async (judges, read, reviews) => {
    const { stream, state, improved, ...reader } = chatty(judges);
    for (let event = 0; event < read; event += 1) await reader.read();
    await improved;
    await turns(30);
    expect(state.reviews).toBe(reviews);
    expect((await stream.outcome).status).toBe('approved');
  });

  it('is waited for until few events are unread, then the run goes on', async () => {
    const { stream, state, most, read, improved } = chatty(200);
    await improved;
    await turns(30);
    expect(state.reviews).toBe(1);
    await read();
    await turns(30);
    expect(state.reviews).toBe(1);
    while (state.emitted - state.read > highWater) await read();
    await turns(30);
    expect(state.reviews).toBe(1);
    await read();
    await turns(30);
    expect(state.reviews).toBe(2);
    expect(Math.max(...most)).toBeLessThan(highWater);
    for await (const _ of stream) state.read += 1;
    expect(state.read).toBe(state.emitted);
    expect((await stream.outcome).status).toBe('approved');
  });
});

it('the signal of a caller ends a streamed run while it works, for the reason of the caller', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const stream = pipelineOf({
    produce: () => {
      controller.abort(reason);
      return never();
    },
  }).stream('task', { signal: controller.signal });
  expect(await stream.outcome).toMatchObject({ status: 'cancelled', error: { cause: reason } });
});

it('a stream without a hook of the caller logs no error', async () => {
  const { lines, logger } = logged('warn', 'error');
  const { outcome } = pipelineOf({ logger }).stream('task');
  expect((await outcome).status).toBe('approved');
  expect(lines).toEqual([]);
});

it('a reader who leaves at the last event does not end what the run still has to do: it learns from the outcome', async () => {
  const [learns, learnt] = [deferred<void>(), deferred<void>()];
  const { lines, logger } = logged('error');
  const stream = pipelineOf({
    learn: {
      relevantTo: async () => '',
      capture: () => {
        learns.resolve();
        return learnt.promise;
      },
    },
    logger,
  }).stream('task');
  for (;;) if ((await stream.next()).value?.type === 'run-end') break;
  await learns.promise;
  const left = stream.return();
  setImmediate(() => learnt.resolve());
  await left;
  expect((await stream.outcome).status).toBe('approved');
  expect(lines).toEqual([]);
});

describe('a stream with options', () => {
  it('whose signal is aborted beforehand is cancelled, and produces nothing', async () => {
    let produced = 0;
    const pipeline = pipelineOf({
      produce: async () => {
        produced += 1;
        return 'x';
      },
    });
    const reason = new Error('too late');
    const stream = pipeline.stream('task', { signal: AbortSignal.abort(reason) });
    expect(await stream.outcome).toMatchObject({ status: 'cancelled', error: { cause: reason } });
    expect(produced).toBe(0);
  });

  it('calls the hook of the caller round each piece of work', async () => {
    const seen: string[] = [];
    const around = async (span: Span, next: () => Promise<SpanEnd>): Promise<void> => {
      seen.push(`${span.name} begins`);
      await next();
      seen.push(`${span.name} ends`);
    };
    const stream = pipelineOf().stream('task', { around });
    expect((await stream.outcome).status).toBe('approved');
    expect(seen).toEqual([
      ...['pipeline begins', 'produce begins', 'produce ends', 'review 1 begins'],
      ...['fine begins', 'fine ends', 'review 1 ends', 'pipeline ends'],
    ]);
  });

  it.each([
    ['a hook that is no function', { around: 'log' }],
    ['a signal that is none', { signal: { aborted: true } }],
    ['a signal that is null', { signal: null }],
    ['a release that is none', { release: 'now' }],
    ['an option that it does not know', { runid: 'r' }],
    ['an unknown event', { on: { 'run-ends': () => {} } }],
    ['a listener that is none', { on: { 'run-end': 'log' } }],
    ['listeners that are no object', { on: [] }],
  ])('refuses %s, as `run` does', async (_, wrong) => {
    const pipeline = pipelineOf();
    const refused = { code: 'invalid_options' };
    await expect(pipeline.run('task', wrong as never)).rejects.toMatchObject(refused);
    await expect(pipeline.stream('task', wrong as never).outcome).rejects.toMatchObject(refused);
  });

  it('takes options that are undefined as if they were left out', async () => {
    const none = { signal: undefined, release: undefined, around: undefined };
    const on = { 'run-end': undefined };
    const outcome = await pipelineOf().run('task', { ...none, on });
    expect(outcome.status).toBe('approved');
  });
});

/** A pipeline that waits for a person, and its question. */
async function waiting() {
  const pipeline = pipelineOf({ human: { policy: 'require' } });
  return { pipeline, request: only(await pipeline.run('task', { runId: 'r' })) };
}

async function eventsOf(stream: RunStream<string>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const approve = { kind: 'approve', by: 'Ann' } as const;

describe('the stream of a continued run', () => {
  it('gives the events after an answer, and marks what is replayed', async () => {
    const { pipeline, request } = await waiting();
    const heard: string[] = [];
    const stream = pipeline.streamAnswer(request, approve, {
      on: { 'run-end': ({ status }) => heard.push(status) },
    });
    const events = await eventsOf(stream);
    expect(events.at(0)).toMatchObject({ type: 'run-start', replayed: true });
    const news = events.filter(({ replayed }) => replayed !== true);
    expect(news.map(({ type }) => type)).toEqual(['run-end']);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'approved' });
    expect(await stream.outcome).toMatchObject({ status: 'approved', output: 'x' });
    expect(heard).toEqual(['approved']);
  });

  it('rejects an answer that does not count, and the question stays open', async () => {
    const { pipeline, request } = await waiting();
    const stale = { ...request, digest: '0'.repeat(64) };
    const stream = pipeline.streamAnswer(stale, approve);
    await expect(eventsOf(stream)).rejects.toMatchObject({ code: 'request_stale' });
    await expect(stream.outcome).rejects.toMatchObject({ code: 'request_stale' });
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('suspended');
  });

  it('that is left early is cancelled, and its answer stays recorded', async () => {
    const { pipeline, request } = await waiting();
    const stream = pipeline.streamAnswer(request, approve);
    for await (const _ of stream) break;
    expect((await stream.outcome).status).toBe('cancelled');
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('approved');
  });

  it('gives the events after decisions', async () => {
    const pipeline = pipelineOf({ produce: async () => 'tea', reviewers: [openCheck('tone')] });
    const ended = await pipeline.run('task', { runId: 'r' });
    const yes = { by: 'Ada', decisions: { tone: 'yes' } } as const;
    const stream = pipeline.streamDecide(placeOf(ended), yes);
    const events = await eventsOf(stream);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'approved' });
    expect((await stream.outcome).approved).toBe(true);
  });
});
