import { expect, it } from 'vitest';
import * as z from 'zod';
import { onceAfter } from '../../../src/engine/after-run-step.js';
import { definePipeline, memoryStore, type Store } from '../../../src/index.js';
import { fileStore } from '../../../src/stores/file/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { emptyDirectory } from '../stores/file-support.js';

const clock = fakeClock(100);

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ['in memory', async () => memoryStore()],
  ['of files', async () => fileStore(emptyDirectory())],
];

it.each(stores)(
  'a store %s lists a run as ended, also after work that follows it',
  async (_, made) => {
    const store = await made();
    let produced = 0;
    const pipeline = definePipeline<string, string>({
      produce: async (_task, { reportUsage }) => {
        reportUsage({ totalTokens: 5 });
        produced += 1;
        return 'x';
      },
      criteria: { fine: () => true },
      store,
    });
    const { status, usage } = await pipeline.run('task', { runId: 'r' });
    expect(status).toBe('approved');
    const done: string[] = [];
    for (const input of ['one', 'two', 'two'])
      await onceAfter(
        { store, clock, runId: 'r', name: 'after', input, schema: z.string() },
        async () => {
          done.push(input);
          return input;
        },
      );
    expect(done).toEqual(['one', 'two']);
    expect(await store.list()).toMatchObject([{ runId: 'r', status: 'approved' }]);
    expect((await store.orphans?.({ limit: 9, olderThanMs: 0 }))?.runs ?? []).toEqual([]);
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'approved', usage });
    expect(produced).toBe(1);
  },
);
