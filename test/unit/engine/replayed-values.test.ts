import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore, type Store } from '../../../src/index.js';
import type { Journal } from '../../../src/ports/store.js';
import { passed, reviewer } from './support.js';

/** Any value, as it is. */
const anything = z.custom<string[]>(() => true);

/** A store that writes what it is given a little later. */
function slow(): Store {
  const store = memoryStore();
  return {
    ...store,
    open: async (...given) => {
      const journal = await store.open(...given);
      const later: Journal = {
        ...journal,
        append: async (record) => {
          await Promise.resolve();
          await journal.append(record);
        },
      };
      return later;
    },
  };
}

describe('the value of a step', () => {
  it('can be changed by the work that gets it, also once it is replayed', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async (_, context) => {
        const lines = await context.step('lines', { input: 0, schema: anything }, async () => [
          'a',
        ]);
        lines.push('b');
        if (isFirst) throw new Error('no model');
        return lines.join();
      },
      reviewers: [reviewer('judge', async () => [passed('judge')])],
      store: memoryStore(),
    });
    let isFirst = true;
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('failed');
    isFirst = false;
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({
      status: 'approved',
      output: 'a,b',
    });
  });

  it('is known to the next try of a judge, however slowly the store writes', async () => {
    const calls: string[] = [];
    const judge = reviewer<string>('judge', async (_, context) => {
      const call = (name: string) =>
        context.step(name, { input: 0, schema: z.string() }, async () => {
          calls.push(name);
          if (calls.length === 2) throw new Error('no model');
          return name;
        });
      await call('read');
      await call('judge');
      return [passed('judge')];
    });
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [judge],
      retries: 1,
      store: slow(),
    });
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('approved');
    expect(calls).toEqual(['read', 'judge', 'judge']);
  });
});
