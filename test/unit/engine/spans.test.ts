import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Around, Span, SpanEnd } from '@/core/span.js';
import {
  type HumanRequest,
  memoryStore,
  type PipelineOptions,
  type ReviewerContext,
} from '@/index.js';
import { fakeClock } from '@/testing/fake-clock.js';
import { deferred, failed, never, passed, pipelineOf, reviewer, suspended } from './support.js';

const text = z.string();

const question = { question: 'Which tea?', allowed: ['approve'], gaps: [] } as const;

/** A hook that keeps the spans and their ends, each in the order in which they came. */
function recorder() {
  const spans: Span[] = [];
  const ends: [string, SpanEnd | Error][] = [];
  const around: Around = (span, next) => {
    spans.push(span);
    return next().then(
      (end) => ends.push([span.name, end]),
      (error: Error) => ends.push([span.name, error]),
    );
  };
  /** What a span says, with its parent by name. */
  const said = () =>
    spans.map(({ parent, ...span }) => ({ ...span, ...(parent && { parent: parent.name }) }));
  return { around, spans, ends, said };
}

/** A pipeline whose parts take time on a clock, and whose judge asks a model. */
function timed(more: Partial<PipelineOptions<string, string>> = {}) {
  const clock = fakeClock(1000);
  const pipeline = pipelineOf({
    name: 'letters',
    produce: async (_, context) => {
      clock.advance(10);
      context.reportUsage({ totalTokens: 3 });
      return 'x';
    },
    address: async (output, _gaps, context) => {
      clock.advance(20);
      context.reportUsage({ totalTokens: 4 });
      return `${output}!`;
    },
    reviewers: [
      reviewer<string>(
        'judge',
        async ({ output }, context) => {
          await context.step('ask', { input: 0, schema: text }, async (step) => {
            const request = { system: 'be fair', messages: [] };
            const call = async () => {
              clock.advance(5);
              return {
                usage: { totalTokens: 7 },
                model: 'm-2',
                finish: 'stop',
                text: 'yes',
                more: 1,
              };
            };
            const asked = await step.traceModel?.({ provider: 'mine', model: 'm', request }, call);
            context.reportUsage({ totalTokens: 7 });
            return asked?.text ?? '';
          });
          return output.endsWith('!') ? [passed('judge')] : [failed('judge')];
        },
        { tier: 'model', version: '3' },
      ),
    ],
    clock,
    ...more,
  });
  return { clock, pipeline };
}

describe('the spans of a run', () => {
  it('say what the work is, where, and which span contains it', async () => {
    const { around, said } = recorder();
    const digests: string[] = [];
    const on = { 'version-produce': (told: { digest: string }) => digests.push(told.digest) };
    await timed({ around }).pipeline.run('task', { runId: 'r', on });
    const place = { runId: 'r' };
    const review = { ...place, kind: 'review', reviewers: 1, parent: 'letters' };
    const judge = { ...place, kind: 'reviewer', name: 'judge', version: '3', tier: 'model' };
    const request = { system: 'be fair', messages: [] };
    const model = { ...place, kind: 'model', name: 'm', provider: 'mine', model: 'm', request };
    const [first, second] = digests;
    expect(new Set(digests).size).toBe(2);
    expect(said()).toEqual([
      {
        ...place,
        kind: 'run',
        name: 'letters',
        iteration: 1,
        resumed: false,
        carried: undefined,
        carry: expect.any(Function),
      },
      { ...place, kind: 'produce', name: 'produce', iteration: 1, parent: 'letters' },
      { ...review, name: 'review 1', iteration: 1, digest: first },
      { ...judge, iteration: 1, digest: first, parent: 'review 1' },
      { ...model, iteration: 1, parent: 'judge' },
      {
        ...place,
        kind: 'address',
        name: 'address',
        iteration: 1,
        digest: first,
        parent: 'letters',
      },
      { ...review, name: 'review 2', iteration: 2, digest: second },
      { ...judge, iteration: 2, digest: second, parent: 'review 2' },
      { ...model, iteration: 2, parent: 'judge' },
    ]);
  });

  it('end with what the work gave, what it used, and how long it took', async () => {
    const { around, ends } = recorder();
    const outcome = await timed({ around }).pipeline.run('task', { runId: 'r' });
    const [first, second] = outcome.reviews;
    const used = { usage: { totalTokens: 7 }, durationMs: 5 };
    const model = { kind: 'model', model: 'm-2', finish: 'stop', text: 'yes', ...used };
    const judge = (of: typeof first) => ({
      kind: 'reviewer',
      assessments: of?.assessments.map(({ verdict }) => expect.objectContaining({ verdict })),
      reused: false,
      ...used,
    });
    expect(ends).toEqual([
      ['produce', { kind: 'produce', usage: { totalTokens: 3 }, durationMs: 10 }],
      ['m', model],
      ['judge', judge(first)],
      ['review 1', { kind: 'review', review: first, durationMs: 5 }],
      ['address', { kind: 'address', usage: { totalTokens: 4 }, durationMs: 20 }],
      ['m', model],
      ['judge', judge(second)],
      ['review 2', { kind: 'review', review: second, durationMs: 5 }],
      ['letters', { kind: 'run', outcome, durationMs: 40 }],
    ]);
  });

  it('cannot be changed, nor can the question to a model', async () => {
    const { around, spans } = recorder();
    await timed({ around }).pipeline.run('task');
    expect(spans.every(Object.isFrozen)).toBe(true);
    const requests = spans.flatMap((span) => (span.kind === 'model' ? [span.request] : []));
    expect(requests).toHaveLength(2);
    expect(requests.every((request) => Object.isFrozen(request?.messages))).toBe(true);
  });

  it('are named after the service where the model is not known, and need no question', async () => {
    const { around, spans } = recorder();
    await pipelineOf({
      produce: (_, context) =>
        context.step('write', { input: 0, schema: text }, async (step) => {
          await step.traceModel?.({ provider: 'mine' }, async () => ({}));
          return 'x';
        }),
      around,
    }).run('task');
    expect(spans.find(({ kind }) => kind === 'model')).toMatchObject({
      name: 'mine',
      provider: 'mine',
      model: undefined,
      request: undefined,
    });
  });

  it('have no parent in a review without a run', async () => {
    const { around, said, ends } = recorder();
    const { pipeline } = timed({ around });
    const review = await pipeline.review('task', 'x!');
    expect(said()).toMatchObject([
      { kind: 'review', name: 'review 1', reviewers: 1 },
      { kind: 'reviewer', parent: 'review 1' },
      { kind: 'model', parent: 'judge' },
    ]);
    expect(said()[0]).not.toHaveProperty('parent');
    expect(ends.at(-1)).toMatchObject(['review 1', { kind: 'review', review }]);
  });
});

describe('the spans of work that ends early', () => {
  it('have the reason as their error, though the work goes on', async () => {
    const { around, ends } = recorder();
    const begun = deferred<void>();
    const clock = fakeClock();
    const running = pipelineOf({
      produce: (_, context) =>
        context.step('write', { input: 0, schema: text }, async (step) => {
          begun.resolve();
          await step.traceModel?.({ provider: 'mine' }, () => never<object>());
          return 'x';
        }),
      timeouts: { produceMs: 100 },
      clock,
      around,
    }).run('task');
    await begun.promise;
    await clock.advanceAsync(100);
    expect(await running).toMatchObject({ status: 'failed', code: 'timeout' });
    const late = expect.objectContaining({ code: 'timeout' });
    expect(Object.fromEntries(ends)).toMatchObject({ mine: late, produce: late });
  });

  it('are closed inside the review, if the run ends while reviewers work', async () => {
    const { around, ends } = recorder();
    const begun = deferred<void>();
    const stop = new AbortController();
    const running = pipelineOf({
      reviewers: [
        reviewer('a', async () => {
          begun.resolve();
          return never();
        }),
      ],
      around,
    }).run('task', { signal: stop.signal });
    await begun.promise;
    stop.abort();
    expect((await running).status).toBe('cancelled');
    expect(ends.map(([name]) => name)).toEqual(['produce', 'a', 'review 1', 'pipeline']);
    expect(ends.slice(1, 3)).toEqual([
      ['a', expect.objectContaining({ code: 'cancelled' })],
      ['review 1', expect.objectContaining({ code: 'cancelled' })],
    ]);
  });
});

describe('the spans of work that waits for a person', () => {
  const asks = { produce: true, address: true } as const;
  it.each(Object.keys(asks) as (keyof typeof asks)[])('say so: %s', async (who) => {
    const { around, ends } = recorder();
    const work = async (_: unknown, context: Pick<ReviewerContext, 'ask' | 'reportUsage'>) => {
      context.reportUsage({ totalTokens: 3 });
      await context.ask('tea', { ...question, allowed: ['approve'] });
      return 'better';
    };
    suspended(
      await pipelineOf({
        produce: who === 'produce' ? work : async (_, _context) => 'x',
        address: (output, _, context) => work(output, context),
        judge: async ({ output }) => [output === 'x' ? failed('a') : passed('a')],
        around,
      }).run('task', { runId: 'r' }),
    );
    expect(new Map(ends).get(who)).toEqual({
      kind: who,
      usage: { totalTokens: 3 },
      durationMs: expect.any(Number),
      waits: true,
    });
  });

  it('say nothing of a person where the work failed', async () => {
    const { around, ends } = recorder();
    await pipelineOf({ produce: () => Promise.reject(new Error('no ink')), around }).run('task', {
      runId: 'r',
    });
    expect(ends[0]).toEqual(['produce', expect.objectContaining({ message: 'no ink' })]);
  });

  it('are followed by one of the wait, which has the question and the answer', async () => {
    const store = memoryStore();
    const clock = fakeClock(1000);
    const make = (around?: Around) =>
      pipelineOf({
        criteria: { fine: () => true },
        human: { policy: 'require' },
        store,
        clock,
        ...(around && { around }),
      });
    const { requests } = suspended(await make().run('task', { runId: 'r' }));
    clock.advance(500);
    const { around, said, ends } = recorder();
    const answer = { kind: 'approve', by: 'Ann' } as const;
    await make(around).answer(requests[0], answer);
    expect(said().find(({ kind }) => kind === 'wait')).toEqual({
      kind: 'wait',
      name: requests[0].question,
      runId: 'r',
      iteration: 1,
      parent: 'pipeline',
      replayed: true,
      request: requests[0],
      answer: expect.objectContaining(answer),
      askedAt: 1000,
      answeredAt: 1500,
    });
    expect(ends[0]).toEqual([
      requests[0].question,
      { kind: 'wait', durationMs: 0, replayed: true },
    ]);
    expect(ends.at(-1)?.[1]).toMatchObject({ kind: 'run', outcome: { status: 'approved' } });
    expect(ends.at(-1)?.[1]).not.toHaveProperty('replayed');
  });
});

it('the data that a run carries is what the first hook gave first, whatever happens to it afterwards', async () => {
  const store = memoryStore();
  const carried: unknown[] = [];
  const run = (around: Around) =>
    pipelineOf({ human: { policy: 'require' }, store, around }).run('task', { runId: 'r' });
  const data: Record<string, string> = { trace: 'one' };
  await run((span) => {
    if (span.kind !== 'run') return;
    span.carry(data);
    data['trace'] = 'changed';
    span.carry({ trace: 'two' });
  });
  await run((span) => {
    if (span.kind === 'run') carried.push(span.carried, span.resumed);
  });
  expect(carried).toEqual([{ trace: 'one' }, true]);
});

/** Asks a person about each version, and finds only the better one fine. */
const asking = (id: string) =>
  reviewer<string>(id, async ({ output }, context) => {
    if (output === 'x' && id === 'later') return [failed(id)];
    await context.ask('fine', { question: `${id}?`, allowed: ['approve'], gaps: [] });
    return [passed(id)];
  });

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  pipelineOf({ address: async () => 'better', ...more });

const yes = { kind: 'approve', by: 'Ann' } as const;

it('the span of a reviewer that waits for a person ends with no assessments and nothing reused, inside a review without a result', async () => {
  const ends: SpanEnd[] = [];
  const around: Around = async (_, next) => ends.push(await next());
  suspended(await pipeline({ reviewers: [asking('later')], around }).run('task', { runId: 'r' }));
  const [second, review] = ends.slice(-3);
  const durationMs = expect.any(Number);
  expect(second).toEqual({
    kind: 'reviewer',
    assessments: [],
    reused: false,
    usage: {},
    waits: true,
    durationMs,
  });
  expect(review).toEqual({ kind: 'review', review: undefined, durationMs });
  expect(ends.at(-1)).toMatchObject({ kind: 'run', outcome: { status: 'suspended' } });
});

it('the span of a wait is about the question that was answered, of several', async () => {
  const spans: Span[] = [];
  const around: Around = (span, next) => {
    spans.push(span);
    return next();
  };
  const made = pipeline({ reviewers: [asking('a'), asking('b'), asking('c')], around });
  const { requests } = suspended(await made.run('task', { runId: 'r' }));
  const of = (question: string): HumanRequest =>
    requests.find((request) => request.question === question) ?? requests[0];
  for (const question of ['b?', 'c?', 'a?']) await made.answer(of(question), yes);
  expect(spans.flatMap((span) => (span.kind === 'wait' ? [span.request.id] : []))).toEqual(
    ['b?', 'c?', 'a?'].map((question) => of(question).id),
  );
});

it('a hook that lets a reviewer begin after the run has ended asks it no more', async () => {
  const late = deferred<void>();
  const begun = deferred<void>();
  const stop = new AbortController();
  let asked = 0;
  const outcome = pipeline({
    reviewers: [
      reviewer('a', async () => {
        asked += 1;
        return [passed('a')];
      }),
    ],
    around: async (span, next) => {
      if (span.kind === 'reviewer') {
        begun.resolve();
        await late.promise;
      }
      await next();
    },
  }).run('task', { runId: 'r', signal: stop.signal });
  await begun.promise;
  stop.abort();
  for (let i = 0; i < 20; i += 1) await new Promise((next) => setImmediate(next));
  late.resolve();
  expect(await outcome).toMatchObject({ status: 'cancelled' });
  expect(asked).toBe(0);
});
