import { describe, expect, it } from 'vitest';
import { digestJson } from '../../../src/core/json.js';
import { definePipeline, memoryStore } from '../../../src/index.js';
import { suspended } from './support.js';

const task = 'tea';

/** A store with a run that another program created, and nobody began. */
async function created() {
  const store = memoryStore();
  const journal = await store.open('r', true);
  await journal.append({
    ...{ type: 'run', schema: 1, runId: 'r', pipeline: 'article', task },
    ...{ taskDigest: digestJson(task), nonce: 'n'.repeat(16), at: 0 },
  });
  await journal.close();
  return store;
}

describe('a run that was only created', () => {
  it('is begun by `resume`: none of its events is a repetition, those of a second call are', async () => {
    const store = await created();
    const pipeline = definePipeline<string, string>({
      name: 'article',
      produce: async () => 'x',
      criteria: { a: () => true },
      human: { policy: 'require' },
      store,
    });
    const replayed: unknown[] = [];
    pipeline.on('run-start', (event) => void replayed.push(event.replayed));
    suspended(await pipeline.resume('r'));
    suspended(await pipeline.resume('r'));
    expect(replayed).toEqual([undefined, true]);
  });

  it('is not begun by a pipeline that only reviews', async () => {
    const store = await created();
    const pipeline = definePipeline<string, string>({ criteria: { a: () => true }, store });
    const resume = async () => pipeline.resume('r');
    await expect(resume()).rejects.toMatchObject({ code: 'no_produce' });
    expect(await store.read('r')).toHaveLength(1);
  });
});
