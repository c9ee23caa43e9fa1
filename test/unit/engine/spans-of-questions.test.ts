import { describe, expect, it } from 'vitest';
import type { Around, Span, SpanEnd } from '../../../src/core/span.js';
import {
  definePipeline,
  type HumanRequest,
  memoryStore,
  type PipelineOptions,
} from '../../../src/index.js';
import { deferred, failed, passed, reviewer, suspended } from './support.js';

/** Asks a person about each version, and finds only the better one fine. */
const asking = (id: string) =>
  reviewer<string>(id, async ({ output }, context) => {
    if (output === 'x' && id === 'later') return [failed(id)];
    await context.ask('fine', { question: `${id}?`, allowed: ['approve'], gaps: [] });
    return [passed(id)];
  });

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  definePipeline<string, string>({
    produce: async () => 'x',
    address: async () => 'better',
    store: memoryStore(),
    ...more,
  });

const yes = { kind: 'approve', by: 'Ann' } as const;

describe('the span of a reviewer that waits for a person', () => {
  it('ends with no assessments and nothing reused, inside a review without a result', async () => {
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
  });
});

describe('the span of a wait', () => {
  it('is about the question that was answered, of several', async () => {
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
});

describe('a hook that lets a reviewer begin after the run has ended', () => {
  it('asks it no more', async () => {
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
});
