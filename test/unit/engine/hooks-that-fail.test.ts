import { beforeAll, describe, expect, it } from 'vitest';
import type { Around } from '../../../src/core/span.js';
import { definePipeline, type PipelineOptions } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/fake-clock.js';
import { deferred, loadEngine, never } from './support.js';

beforeAll(loadEngine);

type Line = readonly [level: string, fields: object, message: string | undefined];

/** Runs a pipeline with a hook for `produce` alone, and returns what was logged of hooks. */
async function logged(hook: Around, more: Partial<PipelineOptions<string, string>> = {}) {
  const lines: Line[] = [];
  const note =
    (level: string) =>
    (fields: object, message?: string): void => {
      if (message?.includes('around')) lines.push([level, fields, message]);
    };
  const outcome = await definePipeline<string, string>({
    produce: async () => 'x',
    criteria: { fine: () => true },
    around: (span, next) => (span.kind === 'produce' ? hook(span, next) : next()),
    logger: { debug() {}, info() {}, warn: note('warn'), error: note('error') },
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
    const running = definePipeline<string, string>({
      produce: () => {
        begun.resolve();
        return never();
      },
      criteria: { fine: () => true },
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
