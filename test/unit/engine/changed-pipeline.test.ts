import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { digestJson } from '../../../src/core/json.js';
import {
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type Store,
} from '../../../src/index.js';
import type { JournalRecord } from '../../../src/ports/store.js';
import { reviewer, suspended } from './support.js';

const approve = { kind: 'approve', by: 'Ann' } as const;

function article(
  store: Store,
  judges: Readonly<Record<string, string>>,
  more: Partial<PipelineOptions<string, string>> = {},
) {
  const begun: string[] = [];
  const warned: unknown[] = [];
  const silent = () => {};
  const pipeline = definePipeline<string, string>({
    name: 'article',
    produce: async () => {
      begun.push('produce');
      return 'text';
    },
    reviewers: Object.entries(judges).map(([id, version]) => ({
      ...reviewer(id, async (_, context) => {
        await context.check(z.number(), async () => begun.push(`${id}@${version}`));
        return [{ verdict: 'pass', criterion: id, score: 1, explanation: '', gaps: [] }];
      }),
      version,
    })),
    human: { policy: 'require' },
    store,
    logger: { debug: silent, info: silent, error: silent, warn: (line) => warned.push(line) },
    ...more,
  });
  return { pipeline, begun, warned };
}

async function waiting(store: Store, more: Partial<PipelineOptions<string, string>> = {}) {
  const { pipeline } = article(store, { a: '1', b: '1' }, more);
  return suspended(await pipeline.run('tea', { runId: 'r' })).requests[0];
}

describe('a run that waits while its pipeline changes', () => {
  it('says nothing if nothing changed', async () => {
    const store = memoryStore();
    const request = await waiting(store);
    const { pipeline, warned } = article(store, { a: '1', b: '1' });
    const outcome = await pipeline.answer(request, approve);
    expect(outcome.status).toBe('approved');
    expect(outcome.changed).toBeUndefined();
    expect(warned).toEqual([]);
  });

  it('goes on by default: only changed judges are asked, and it says what changed, once', async () => {
    const store = memoryStore();
    await waiting(store);
    const { pipeline, begun, warned } = article(store, { a: '1', b: '2', c: '1' });
    const outcome = await pipeline.resume('r');
    expect(outcome).toMatchObject({
      status: 'suspended',
      changed: ['reviewer b changed from "1 (code)" to "2 (code)"', 'reviewer c was added'],
    });
    expect(warned).toEqual([
      {
        run: 'r',
        pipeline: 'article',
        changes: outcome.changed?.join('; '),
        action: 'continue',
      },
    ]);
    expect(begun).toEqual(['b@2', 'c@1']);
    const again = await pipeline.answer(suspended(outcome).requests[0], approve);
    expect(again.status).toBe('approved');
    expect(again.changed).toBeUndefined();
  });

  it('compares the version of the pipeline, and its settings', async () => {
    const store = memoryStore();
    await waiting(store, { version: '1' });
    const { pipeline } = article(store, { a: '1' }, { version: '2', budget: { reviews: 7 } });
    expect((await pipeline.resume('r')).changed).toEqual([
      'version changed from "1" to "2"',
      'the settings changed',
      'reviewer b was removed',
    ]);
  });

  it('begins anew if told so: everything is done again, and old answers do not count', async () => {
    const store = memoryStore();
    const request = await waiting(store);
    const { pipeline, begun } = article(store, { a: '1', b: '2' }, { onChange: 'restart' });
    const outcome = await pipeline.answer(request, approve);
    expect(begun).toEqual(['produce', 'a@1', 'b@2']);
    const [fresh] = suspended(outcome).requests;
    expect(fresh.id).not.toBe(request.id);
    await expect(pipeline.answer(request, approve)).rejects.toMatchObject({
      code: 'request_unknown',
    });
    const done = await pipeline.answer(fresh, approve);
    expect(done.status).toBe('approved');
    expect(begun).toEqual(['produce', 'a@1', 'b@2']);
  });

  it('asks a person if told so, and does what the person chose', async () => {
    for (const [value, again] of [
      ['continue', []],
      ['restart', ['produce', 'a@2', 'b@1']],
    ] as const) {
      const store = memoryStore();
      const first = await waiting(store);
      const judges = value === 'continue' ? { a: '1' } : { a: '2', b: '1' };
      const { pipeline, begun, warned } = article(store, judges, { onChange: 'ask' });
      const asked = suspended(await pipeline.answer(first, approve));
      expect(warned).toMatchObject([{ action: 'ask' }]);
      expect(asked.requests).toHaveLength(1);
      const [request] = asked.requests;
      expect(request.question).toContain('Continue or restart?');
      expect(request).toMatchObject({
        allowed: ['reply'],
        subject: { changes: asked.changed },
        responseSchema: { type: 'string', enum: ['continue', 'restart'] },
      });
      expect(asked.changed).toHaveLength(1);
      expect(begun).toEqual([]);
      await expect(
        pipeline.answer(request, { kind: 'reply', by: 'Ann', value: 'other' }),
      ).rejects.toMatchObject({ code: 'answer_invalid', value: 'other' });
      const outcome = await pipeline.answer(request, { kind: 'reply', by: 'Ann', value });
      expect(begun).toEqual(again);
      expect(outcome.status).toBe(value === 'continue' ? 'approved' : 'suspended');
    }
  });

  it('leaves a run alone that has ended', async () => {
    const store = memoryStore();
    const { pipeline } = article(store, { a: '1' }, { human: { policy: 'auto' } });
    await pipeline.run('tea', { runId: 'r' });
    const changed = article(
      store,
      { a: '1' },
      { human: { policy: 'auto' }, version: '9', onChange: 'restart' },
    );
    const outcome = await changed.pipeline.run('tea', { runId: 'r' });
    expect(outcome.status).toBe('approved');
    expect(changed.begun).toEqual([]);
  });
});

describe('a run that was begun without its pipeline', () => {
  const header = { type: 'run', schema: 1, runId: 'r', pipeline: 'article', task: 'tea' } as const;
  const begun = async (more: readonly JournalRecord[]): Promise<Store> => {
    const store = memoryStore();
    const journal = await store.open('r', true);
    for (const record of [
      { ...header, taskDigest: digestJson('tea'), nonce: 'n'.repeat(16), at: 0 },
      ...more,
    ])
      await journal.append(record);
    await journal.close();
    return store;
  };
  const parts = async (store: Store) =>
    (await store.read('r'))?.filter((record) => record.type === 'step' && record.name === 'parts');

  it('belongs to the first one that continues it, whose changes are told', async () => {
    const store = await begun([]);
    const first = article(store, { a: '1' });
    expect(await first.pipeline.resume('r')).toMatchObject({ status: 'suspended' });
    expect(first.warned).toEqual([]);
    expect(await parts(store)).toHaveLength(1);
    expect((await article(store, { a: '2' }).pipeline.resume('r')).changed).toHaveLength(1);
  });

  it('and continued by another version of this package is left as it is', async () => {
    const store = await begun([
      { type: 'end', status: 'suspended', code: 'waiting', waits: [], at: 0 },
    ]);
    const outcome = await article(store, { a: '1' }).pipeline.resume('r');
    expect(outcome.changed).toBeUndefined();
    expect(await parts(store)).toEqual([]);
  });
});

describe('a run that is resumed', () => {
  it('takes its task from the record, and rejects for an unknown run', async () => {
    const store = memoryStore();
    const tasks: string[] = [];
    const { pipeline } = article(
      store,
      { a: '1' },
      {
        produce: async (task) => {
          tasks.push(task);
          if (tasks.length === 1) throw new Error('down');
          return task;
        },
      },
    );
    await pipeline.run('tea', { runId: 'r' });
    await expect(pipeline.resume('r')).resolves.toMatchObject({ status: 'suspended' });
    expect(tasks).toEqual(['tea', 'tea']);
    await expect(pipeline.resume('none')).rejects.toMatchObject({ code: 'run_unknown' });
    await expect(pipeline.resume('a b')).rejects.toMatchObject({ code: 'invalid_options' });
  });
});
