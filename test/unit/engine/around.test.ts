import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Around, Span, SpanEnd } from '@/core/span.js';
import { limiter, llmCriterion, memoryStore, type PipelineOptions } from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock } from '@/testing/fake-clock.js';
import { scriptedJudge } from '@/testing/scripted-judge.js';
import { throwing } from '../../support/throwing.js';
import { deferred, exclaiming, never, pipelineOf, suspended } from './support.js';

/** A tracer that nests its lines by the async context alone. */
function tracer(): { readonly around: Around; readonly lines: string[]; readonly ends: SpanEnd[] } {
  const lines: string[] = [];
  const ends: SpanEnd[] = [];
  const place = new AsyncLocalStorage<string>();
  const around: Around = (span, next) => {
    const path = `${place.getStore() ?? ''}/${span.name}`;
    lines.push(`${path}${span.replayed ? ' (replayed)' : ''}`);
    return place.run(path, async () => {
      const end = await next();
      ends.push(end);
      lines.push(`${path} ended`);
    });
  };
  return { around, lines, ends };
}

describe('the hook around', () => {
  it('is called round each piece of work, in the async context of what contains it', async () => {
    const { around, lines } = tracer();
    await pipelineOf({ ...exclaiming, around }).run('task');
    expect(lines.filter((line) => !line.endsWith('ended'))).toEqual([
      '/pipeline',
      '/pipeline/produce',
      '/pipeline/review 1',
      '/pipeline/review 1/a',
      '/pipeline/address',
      '/pipeline/review 2',
      '/pipeline/review 2/a',
    ]);
    expect(lines.at(-1)).toBe('/pipeline ended');
    expect(lines.filter((line) => line.endsWith('ended'))).toHaveLength(7);
  });

  it('is left out of calls in which it is not active', async () => {
    const { around, lines } = tracer();
    let isActive = false;
    const hook = Object.assign(around, { isActive: () => isActive });
    const pipeline = pipelineOf({ ...exclaiming, around: hook });
    expect((await pipeline.run('task')).status).toBe('approved');
    expect(lines).toEqual([]);
    isActive = true;
    await pipeline.run('task');
    expect(lines[0]).toBe('/pipeline');
  });

  it('is called, and the error is logged, where `isActive` throws', async () => {
    const { around, lines } = tracer();
    const isActive = throwing('no idea');
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (fields: object) => errors.push(fields) };
    const hook = Object.assign(around, { isActive });
    await pipelineOf({ ...exclaiming, around: hook, logger }).run('task');
    expect(lines).toContain('/pipeline ended');
    expect(errors).toMatchObject([{ error: 'no idea' }]);
  });

  it('of the run is called inside that of the pipeline', async () => {
    const order: string[] = [];
    const named =
      (name: string): Around =>
      async (span, next) => {
        if (span.kind === 'produce') order.push(`${name} begins`);
        await next();
        if (span.kind === 'produce') order.push(`${name} ends`);
      };
    await pipelineOf({ ...exclaiming, around: named('pipeline') }).run('task', {
      around: named('run'),
    });
    expect(order).toEqual(['pipeline begins', 'run begins', 'run ends', 'pipeline ends']);
  });
});

it('the hook around and model calls contains them, with the question and the usage', async () => {
  const { around, lines, ends } = tracer();
  const spans: Span[] = [];
  await pipelineOf({
    produce: async (_, context) =>
      context.step('write', { input: 0, schema: z.string() }, async (step) => {
        const call = async () => ({ text: 'x', usage: { inputTokens: 3 }, model: 'm-2' });
        const { text } = await (step.traceModel?.({ provider: 'mine', model: 'm' }, call) ??
          call());
        return text;
      }),
    reviewers: [
      llmCriterion({
        id: 'clear',
        question: 'Is it clear?',
        provider: scriptedJudge({ clear: 'yes' }),
      }),
    ],
    around: (span, next) => {
      spans.push(span);
      return around(span, next);
    },
  }).run('task');
  expect(lines.filter((line) => !line.endsWith('ended'))).toEqual([
    '/pipeline',
    '/pipeline/produce',
    '/pipeline/produce/m',
    '/pipeline/review 1',
    '/pipeline/review 1/clear',
    '/pipeline/review 1/clear/scripted-judge',
  ]);
  expect(ends.filter(({ kind }) => kind === 'model')).toMatchObject([
    { text: 'x', usage: { inputTokens: 3 }, model: 'm-2' },
    { model: 'scripted-judge', finish: 'stop' },
  ]);
  const parents = spans.map(({ name, parent }) => `${parent?.name ?? ''}/${name}`);
  expect(parents).toEqual([
    '/pipeline',
    'pipeline/produce',
    'produce/m',
    'pipeline/review 1',
    'review 1/clear',
    'clear/scripted-judge',
  ]);
});

describe('a hook that misbehaves', () => {
  const errors: unknown[] = [];
  const logger = {
    ...silentLogger,
    warn: (_: unknown, message?: string) => errors.push(message),
    error: (data: object) => errors.push(Reflect.get(data, 'error')),
  };

  const changesNothing = (name: string, logged: readonly unknown[], around: Around) =>
    it(`and ${name} changes nothing`, async () => {
      errors.length = 0;
      let made = 0;
      const outcome = await pipelineOf({
        ...exclaiming,
        produce: () => {
          made += 1;
          return 'x';
        },
        around,
        logger,
      }).run('task');
      expect(outcome).toMatchObject({ status: 'approved', output: 'x!' });
      expect(made).toBe(1);
      expect([...new Set(errors)]).toEqual(logged);
    });

  changesNothing('throws at once', ['at once'], throwing('at once'));
  changesNothing('throws afterwards', ['later'], async (_, next) => {
    await next();
    throw new Error('later');
  });
  changesNothing('never calls next', ['the hook `around` did not call `next`'], () => {});
  changesNothing('calls next twice and forgets it', [], (_, next) => {
    void next();
    void next();
  });
  changesNothing('changes what it gets', [], async (span, next) => {
    try {
      Object.assign(span, { name: 'other', runId: 'other' });
    } catch {}
    const end = await next();
    try {
      Object.assign(end, { kind: 'other' });
    } catch {}
    if (end.kind === 'reviewer')
      try {
        Object.assign(end.assessments, []).length = 0;
      } catch {}
  });

  it('and never returns does not outlive the run', async () => {
    const clock = fakeClock();
    const running = pipelineOf({
      ...exclaiming,
      clock,
      budget: { timeoutMs: 1000 },
      around: (span) => (span.kind === 'review' ? never() : undefined),
    }).run('task');
    await clock.advanceAsync(1000);
    await clock.advanceAsync(5000);
    expect(await running).toMatchObject({ status: 'timed_out' });
  });
});

it('the ends that a hook is told are the error of work that failed, and the outcome of a run that failed', async () => {
  const told: string[] = [];
  await pipelineOf({
    ...exclaiming,
    produce: throwing('no ink'),
    around: (span, next) =>
      next().then(
        (end) => told.push(`${span.kind}: ${end.kind === 'run' ? end.outcome.status : 'fine'}`),
        (error: Error) => told.push(`${span.kind}: ${error.message}`),
      ),
  }).run('task');
  expect(told).toEqual(['produce: no ink', 'run: failed']);
});

it('a run that goes on in another call has the data that its first call carried, a span of the wait, and no span of replayed work', async () => {
  const store = memoryStore();
  const clock = fakeClock();
  const seen: Span[] = [];
  const around: Around = (span, next) => {
    seen.push(span);
    if (span.kind === 'run') span.carry({ traceparent: `00-${seen.length}` });
    return next();
  };
  const make = () =>
    pipelineOf({ ...exclaiming, store, clock, around, human: { policy: 'require' } });
  const { requests } = suspended(await make().run('task', { runId: 'r' }));
  clock.advance(60_000);
  seen.length = 0;
  await make().answer(requests[0], { kind: 'revise', by: 'ann', note: 'shorter' });
  expect(seen.map(({ name, replayed }) => `${name}${replayed ? ' (replayed)' : ''}`)).toEqual([
    'pipeline (replayed)',
    `${requests[0].question} (replayed)`,
    'review 1 (replayed)',
    'a (replayed)',
    'review 2 (replayed)',
    'a (replayed)',
    'address',
    'review 3',
    'a',
  ]);
  expect(seen[0]).toMatchObject({ resumed: true, carried: { traceparent: '00-1' } });
  expect(seen[1]).toMatchObject({ kind: 'wait', askedAt: 0, answeredAt: 60_000 });
});

it('the async context of a run reaches calls that waited for a slot which another run freed', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: string[] = [];
  const pipeline = pipelineOf({
    produce: async (task) => {
      await Promise.resolve();
      seen.push(`${task}: produce of ${request.getStore()}`);
      return 'x!';
    },
    work: async (context) => {
      await context.step('look', { input: 0, schema: z.number() }, async () => {
        seen.push(`step of ${request.getStore()}`);
        return 1;
      });
    },
    limiter: limiter({ concurrency: 1 }),
  });
  await Promise.all(
    ['one', 'two', 'three'].map((name) => request.run(name, () => pipeline.run(name))),
  );
  expect(seen.sort()).toEqual([
    'one: produce of one',
    'step of one',
    'step of three',
    'step of two',
    'three: produce of three',
    'two: produce of two',
  ]);
});

/** Runs with a hook; returns the run, and what is logged meanwhile. */
function hooked(around: Around, produce = async () => 'x') {
  const errors: unknown[] = [];
  const warnings: unknown[] = [];
  const outcome = pipelineOf({
    produce,
    criteria: { a: () => true },
    around,
    logger: {
      ...silentLogger,
      warn: (data) => void warnings.push(data),
      error: (data) => void errors.push(data),
    },
  }).run('task', { runId: 'r' });
  return { errors, outcome, warnings };
}

it('a hook around the work that passes on the error of the work has done nothing wrong', async () => {
  const pause = Object.assign(new Error('paused'), { is_bubble_up: true });
  const { errors, outcome } = hooked(
    async (_, next) => void (await next()),
    () => Promise.reject(pause),
  );
  await expect(outcome).rejects.toBe(pause);
  expect(errors).toEqual([]);
});

type Line = readonly [level: string, fields: object, message: string | undefined];

/** Runs a pipeline with a hook for `produce` alone, and returns what was logged of hooks. */
async function logged(hook: Around, more: Partial<PipelineOptions<string, string>> = {}) {
  const lines: Line[] = [];
  const note =
    (level: string) =>
    (fields: object, message?: string): void => {
      if (message?.includes('around')) lines.push([level, fields, message]);
    };
  const outcome = await pipelineOf({
    criteria: { fine: () => true },
    around: (span, next) => (span.kind === 'produce' ? hook(span, next) : next()),
    logger: { ...silentLogger, warn: note('warn'), error: note('error') },
    ...more,
  }).run('task', { runId: 'r' });
  return { outcome, lines };
}

const about = { run: 'r', span: 'produce', name: 'produce' };

describe('the log of a hook', () => {
  it('says that it threw, beside work that was done', async () => {
    for (const hook of [
      async (_: unknown, next: () => Promise<unknown>) => {
        await next();
        throw new Error('no network');
      },
      () => Promise.reject(new Error('no network')),
    ]) {
      const { outcome, lines } = await logged(hook);
      expect(outcome).toMatchObject({ status: 'approved' });
      expect(lines).toEqual([['error', { ...about, error: 'no network' }, expect.any(String)]]);
    }
  });

  it('says nothing where it passes the error of the work on', async () => {
    const produce = () => Promise.reject(new Error('no ink'));
    const { outcome, lines } = await logged((_, next) => next(), { produce });
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed' });
    expect(lines).toEqual([]);
  });

  it('says that it did not begin the work, which is done all the same', async () => {
    const { outcome, lines } = await logged(() => {});
    expect(outcome).toMatchObject({ status: 'approved', output: 'x' });
    expect(lines).toEqual([['warn', about, expect.any(String)]]);
  });
});

describe('a hook that goes on after its work', () => {
  const slow = (stop: AbortController, hook: Promise<void>) => {
    const clock = fakeClock();
    const begun = deferred<void>();
    let isOver = false;
    const running = pipelineOf({
      produce: () => {
        begun.resolve();
        return never();
      },
      around: async (span, next) => {
        await next().catch(() => {});
        if (span.kind === 'run') await hook;
      },
      clock,
    })
      .run('task', { signal: stop.signal })
      .finally(() => {
        isOver = true;
      });
    return { clock, begun: begun.promise, running, isOver: () => isOver };
  };

  it('is waited for, but not for long where the run was cancelled', async () => {
    const stop = new AbortController();
    const { clock, begun, running, isOver } = slow(stop, never());
    await begun;
    stop.abort();
    await clock.advanceAsync(1999);
    expect(isOver()).toBe(false);
    await clock.advanceAsync(1);
    expect(await running).toMatchObject({ status: 'cancelled' });
  });

  it('ends the wait when it is done', async () => {
    const stop = new AbortController();
    const done = deferred<void>();
    const { begun, running } = slow(stop, done.promise);
    await begun;
    stop.abort();
    done.resolve();
    expect(await running).toMatchObject({ status: 'cancelled' });
  });
});
