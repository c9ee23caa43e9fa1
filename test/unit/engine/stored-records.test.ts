import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePipeline, memoryStore, type Store } from '../../../src/index.js';
import type { JournalRecord } from '../../../src/ports/index.js';
import { suspended } from './support.js';

/** A store that also keeps each record as it was given. */
function watched() {
  const given: JournalRecord[] = [];
  const inner = memoryStore();
  const open: Store['open'] = async (runId, isKept) => {
    const journal = await inner.open(runId, isKept);
    return {
      records: journal.records,
      append: async (record) => {
        given.push(record);
        await journal.append(record);
      },
      close: () => journal.close(),
    };
  };
  const store: Store = { open, read: inner.read, list: inner.list };
  return { given, store };
}

describe('what a store is given to keep', () => {
  it('reads back from JSON as it was, and cannot be changed by the work that made it', async () => {
    const { given, store } = watched();
    const pages = ['one'];
    const pipeline = definePipeline<string, string>({
      produce: async (_, context) => {
        const schema = z.array(z.string());
        const mine = await context.step('pages', { input: 0, schema }, async () => pages);
        pages.push('two');
        await context.step('free', { input: 1, schema: z.number() }, async () => {
          context.reportUsage({ inputTokens: 3 });
          return 1;
        });
        return mine.join();
      },
      criteria: { a: () => true },
      human: { policy: 'require' },
      store,
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    await pipeline.answer(requests[0], { kind: 'approve', by: 'Ann' });
    const step = given.find((one) => one.type === 'step' && one.name.endsWith('/pages'));
    expect(step).toMatchObject({ value: ['one'] });
    expect(given.length).toBeGreaterThan(4);
    for (const record of given) expect(JSON.parse(JSON.stringify(record))).toStrictEqual(record);
  });
});
