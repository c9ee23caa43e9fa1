import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, limiter, memoryStore, type Store } from '../../../src/index.js';
import { deferred, passed, reviewer } from './support.js';

const text = z.string();
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Waits some turns for something that comes soon. */
async function until(what: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !what(); i += 1) await turn();
  expect(what()).toBe(true);
}

describe('the calls of a run that may be released', () => {
  it('fail as those of any other run', async () => {
    const errors: unknown[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async (_, context) => {
        const failing = context.step('write', { input: 0, schema: text }, async () => {
          throw new Error('no ink');
        });
        await failing.catch((error: unknown) => errors.push(error));
        return 'x';
      },
      criteria: { fine: () => true },
      store: memoryStore(),
    }).run('task', { runId: 'r', release: new AbortController().signal });
    expect(outcome.status).toBe('approved');
    expect(errors).toMatchObject([{ message: 'no ink' }]);
  });

  it('that were refused tell why only when the run has ended', async () => {
    const release = new AbortController();
    const caught: unknown[] = [];
    const running = definePipeline<string, string>({
      produce: async (_, context) => {
        release.abort();
        const refused = context.step('write', { input: 0, schema: text }, async () => 'x');
        return refused.catch((error: unknown) => {
          caught.push(error);
          return 'y';
        });
      },
      criteria: { fine: () => true },
      store: memoryStore(),
    }).run('task', { runId: 'r', release: release.signal });
    await expect(running).rejects.toMatchObject({ code: 'released' });
    await until(() => caught.length > 0);
    expect(caught).toMatchObject([{ code: 'released' }]);
  });

  it('wait for the calls that are out before they tell it', async () => {
    const release = new AbortController();
    const [open, begun, go] = [deferred<string>(), deferred<void>(), deferred<void>()];
    const caught: unknown[] = [];
    const running = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('slow', async (_, context) => {
          await context.step('look', { input: 0, schema: text }, () => {
            begun.resolve();
            return open.promise;
          });
          return [passed('slow')];
        }),
        reviewer('late', async (_, context) => {
          await go.promise;
          await context
            .step('look', { input: 0, schema: text }, async () => 'x')
            .catch((error: unknown) => caught.push(error));
          return [passed('late')];
        }),
      ],
      store: memoryStore(),
    }).run('task', { runId: 'r', release: release.signal });
    const refused = expect(running).rejects.toMatchObject({ code: 'released' });
    await begun.promise;
    release.abort();
    go.resolve();
    for (let i = 0; i < 20; i += 1) await turn();
    expect(caught).toEqual([]);
    open.resolve('x');
    await refused;
    await until(() => caught.length > 0);
    expect(caught).toMatchObject([{ code: 'released' }]);
  });

  it('tell the same where they had waited for a slot until then', async () => {
    const slots = limiter({ concurrency: 2 });
    const release = new AbortController();
    const [one, begun] = [deferred<string>(), deferred<void>()];
    const caught: unknown[] = [];
    const made: string[] = [];
    const judge = (id: string, work: () => Promise<string>) =>
      reviewer<string>(id, async (_, context) => {
        await context
          .step('look', { input: 0, schema: text }, () => {
            made.push(id);
            return work();
          })
          .catch((error: unknown) => caught.push(error));
        return [passed(id)];
      });
    const running = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        judge('a', () => {
          begun.resolve();
          return one.promise;
        }),
        judge('b', () => one.promise),
        judge('c', async () => 'x'),
      ],
      limiter: slots,
      store: memoryStore(),
    }).run('task', { runId: 'r', release: release.signal });
    const refused = expect(running).rejects.toMatchObject({ code: 'released' });
    await begun.promise;
    release.abort();
    one.resolve('x');
    await refused;
    await until(() => caught.length > 0);
    expect(made).toEqual(['a', 'b']);
    expect(caught).toMatchObject([{ code: 'released' }]);
  });

  it('hold nothing up while another run has all the slots', async () => {
    const slots = limiter({ concurrency: 1 });
    const other = deferred<string>();
    const begun = deferred<void>();
    const pipeline = (work: () => Promise<string>) =>
      definePipeline<string, string>({
        produce: work,
        criteria: { fine: () => true },
        limiter: slots,
        store: memoryStore(),
      });
    const first = pipeline(() => {
      begun.resolve();
      return other.promise;
    }).run('task');
    await begun.promise;
    const release = new AbortController();
    const waiting = pipeline(async () => 'x').run('task', { runId: 'r', release: release.signal });
    const refused = expect(waiting).rejects.toMatchObject({ code: 'released' });
    for (let i = 0; i < 20; i += 1) await turn();
    release.abort();
    await refused;
    other.resolve('x');
    expect(await first).toMatchObject({ status: 'approved' });
  });
});

describe('a store that cannot tell for a moment who holds the run', () => {
  it('costs that call, which a judge makes again', async () => {
    const inner = memoryStore();
    let asked = 0;
    const store: Store = {
      ...inner,
      open: async (runId, keep) => {
        const journal = await inner.open(runId, keep);
        const held = async (): Promise<void> => {
          asked += 1;
          if (asked === 2) throw new Error('no connection');
        };
        return { ...journal, held };
      },
    };
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer('a', async (_, context) => {
          await context.step('look', { input: 0, schema: text }, async () => 'x');
          return [passed('a')];
        }),
      ],
      retries: 1,
      store,
    }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'approved' });
    expect(asked).toBe(3);
  });
});
