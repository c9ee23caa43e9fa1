import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { onceAfter } from '../../../src/engine/after-run-step.js';
import { definePipeline, type Logger, memoryStore, type Store } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { passed, reviewer, suspended } from './support.js';

const approve = { kind: 'approve', by: 'Ann' } as const;

describe('a recorded step', () => {
  const pipeline = (
    store: Store,
    schema: z.ZodType,
    done: unknown[],
    warned: unknown[],
    answer: unknown,
  ) => {
    const quiet = (): void => {};
    const logger: Logger = {
      ...{ debug: quiet, info: quiet, error: quiet },
      warn: (fields) => void ('step' in fields && warned.push(fields.step)),
    };
    return definePipeline<string, string>({
      produce: async (_, context) => {
        await context.step('call', { input: 1, schema }, async () => {
          done.push(answer);
          return answer;
        });
        return (await context.ask('go', { question: 'go?', allowed: ['approve'] })).by;
      },
      criteria: { fine: () => true },
      store,
      logger,
    });
  };

  it('that no longer fits its schema is done again, and the log says which', async () => {
    const store = memoryStore();
    const done: unknown[] = [];
    const warned: unknown[] = [];
    const before = pipeline(store, z.string(), done, warned, 'one');
    const [request] = suspended(await before.run('task', { runId: 'r' })).requests;
    const after = pipeline(store, z.number(), done, warned, 1);
    expect(await after.answer(request, approve)).toMatchObject({ status: 'approved' });
    expect(done).toEqual(['one', 1]);
    expect(warned).toEqual(['produce/call']);
  });

  it('is read by the schema of today', async () => {
    const store = memoryStore();
    const read: unknown[] = [];
    const made = (schema: z.ZodType) =>
      definePipeline<string, string>({
        produce: async (_, context) => {
          read.push(await context.step('call', { input: 1, schema }, async () => ({ a: 1 })));
          return (await context.ask('go', { question: 'go?', allowed: ['approve'] })).by;
        },
        criteria: { fine: () => true },
        store,
      });
    const first = made(z.object({ a: z.number() }));
    const [request] = suspended(await first.run('task', { runId: 'r' })).requests;
    await made(z.object({ a: z.number(), b: z.string().default('new') })).answer(request, approve);
    expect(read).toEqual([{ a: 1 }, { a: 1, b: 'new' }]);
  });
});

describe('work after a run', () => {
  const once = (store: Store, input: string, work: () => Promise<string>) =>
    onceAfter(
      { store, clock: fakeClock(7), runId: 'r', name: 'after', input, schema: z.string() },
      work,
    );

  it('is done once for the same input, and kept with the run', async () => {
    const store = memoryStore();
    await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer('a', async () => [passed('a')])],
      store,
    }).run('task', { runId: 'r' });
    const done: string[] = [];
    const work = (said: string) => async () => {
      done.push(said);
      return said;
    };
    expect(await once(store, 'one', work('first'))).toBe('first');
    expect(await once(store, 'one', work('second'))).toBe('first');
    expect(await once(store, 'two', work('third'))).toBe('third');
    expect(done).toEqual(['first', 'third']);
    expect((await store.read('r'))?.at(-2)).toMatchObject({
      type: 'step',
      name: 'after',
      input: 'two',
      value: 'third',
      at: 7,
    });
  });

  it('that fails is not recorded, and the run can be opened again', async () => {
    const store = memoryStore();
    await expect(once(store, 'one', () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    );
    await expect(once(store, 'one', async () => 1 as never)).rejects.toThrow();
    expect(await once(store, 'one', async () => 'done')).toBe('done');
  });
});
