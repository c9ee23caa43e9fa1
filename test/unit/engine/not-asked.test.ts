import { describe, expect, it } from 'vitest';
import {
  type AskRequest,
  type HumanAnswer,
  memoryStore,
  type PipelineOptions,
  type ProduceContext,
  type Store,
} from '@/index.js';
import type { JournalRecord } from '@/ports/store.js';
import { pipelineOf, suspended } from './support.js';

const yes: HumanAnswer = { kind: 'approve', by: 'Ann' };

const publish: AskRequest = { question: 'Publish?', allowed: ['approve', 'reject'] };

const working = (
  produce: (task: string, context: ProduceContext) => Promise<string>,
  more: Partial<PipelineOptions<string, string>> = {},
) => pipelineOf({ produce, criteria: { fine: () => true }, ...more });

/** A pipeline whose only reviewer asks one question of this name, until it has an answer. */
const judging = (store: Store, name: string) =>
  pipelineOf({
    store,
    work: async (context) => {
      await context.ask(name, { question: `${name}?`, allowed: ['approve'], gaps: [] });
    },
  });

describe('work that returns although it asked', () => {
  it('has made no version, until the question has its answer', async () => {
    const produced: string[] = [];
    const pipeline = working(async (_, context) => {
      produced.push('draft');
      void context.ask('publish', publish);
      return 'draft';
    });
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting).toMatchObject({ output: undefined, reviews: [] });
    expect(waiting.requests).toMatchObject([{ question: 'Publish?', from: 'produce' }]);
    expect(await pipeline.answer(waiting.requests[0], yes)).toMatchObject({
      status: 'approved',
      output: 'draft',
    });
    await pipeline.run('tea', { runId: 'r' });
    expect(produced).toEqual(['draft', 'draft']);
  });

  it('has revised nothing either', async () => {
    const pipeline = working(async () => 'first', {
      criteria: { second: (text) => text === 'second' || 'not the second' },
      address: async (_output, _gaps, context) => {
        void context.ask('publish', publish);
        return 'second';
      },
    });
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting).toMatchObject({ output: 'first', reviews: [{}] });
    expect(await pipeline.answer(waiting.requests[0], yes)).toMatchObject({
      status: 'approved',
      output: 'second',
    });
  });
});

it('work that hides that it takes a context cannot ask, for a run that nobody can continue recorded nothing', async () => {
  const produce = async (...given: unknown[]): Promise<string> =>
    (await (given[1] as ProduceContext).ask('publish', publish)).by;
  const pipeline = pipelineOf({ produce });
  expect(await pipeline.run('tea')).toMatchObject({ status: 'failed', code: 'ask_needs_run' });
  const kept = suspended(await pipeline.run('tea', { runId: 'r' }));
  expect(kept.requests).toHaveLength(1);
});

describe('a question that the run no longer asks', () => {
  it('cannot be answered, but the one that it asks instead can', async () => {
    const store = memoryStore();
    const [before] = suspended(await judging(store, 'before').run('tea', { runId: 'r' })).requests;
    const after = judging(store, 'after');
    const [now] = suspended(await after.run('tea', { runId: 'r' })).requests;
    expect(now.id).not.toBe(before.id);
    await expect(after.answer(before, yes)).rejects.toMatchObject({ code: 'request_stale' });
    expect(await after.answer(now, yes)).toMatchObject({ status: 'approved' });
  });

  it('counts again once the run asks it again', async () => {
    const store = memoryStore();
    const first = judging(store, 'first');
    const [request] = suspended(await first.run('tea', { runId: 'r' })).requests;
    suspended(await judging(store, 'second').run('tea', { runId: 'r' }));
    suspended(await first.run('tea', { runId: 'r' }));
    expect(await first.answer(request, yes)).toMatchObject({ status: 'approved' });
  });

  it('is not one that a process asked and did not live to end with', async () => {
    const store = memoryStore();
    suspended(await judging(store, 'first').run('tea', { runId: 'r' }));
    const second = judging(store, 'second');
    const [request] = suspended(await second.run('tea', { runId: 'r' })).requests;
    const cut = copyOf(store, (records) => records.slice(0, -1));
    expect(await judging(await cut, 'second').answer(request, yes)).toMatchObject({
      status: 'approved',
    });
  });

  it('is not one whose process ended before the run had any end', async () => {
    const store = memoryStore();
    const pipeline = judging(store, 'first');
    const [request] = suspended(await pipeline.run('tea', { runId: 'r' })).requests;
    const cut = await copyOf(store, (records) => records.filter(({ type }) => type !== 'end'));
    expect(await judging(cut, 'first').answer(request, yes)).toMatchObject({ status: 'approved' });
  });

  it('is not one of a run that was cancelled since', async () => {
    const store = memoryStore();
    const pipeline = judging(store, 'first');
    const [request] = suspended(await pipeline.run('tea', { runId: 'r' })).requests;
    const signal = AbortSignal.abort(new Error('stop'));
    expect((await pipeline.run('tea', { runId: 'r', signal })).status).toBe('cancelled');
    expect(await pipeline.answer(request, yes)).toMatchObject({ status: 'approved' });
  });

  it('is not one that a run asked which began anew', async () => {
    const store = memoryStore();
    const old = judging(store, 'first');
    suspended(await old.run('tea', { runId: 'r' }));
    const begun = (kept: Store) =>
      pipelineOf({ store: kept, version: '2', onChange: 'restart', human: { policy: 'require' } });
    const [request] = suspended(await begun(store).resume('r')).requests;
    const cut = copyOf(store, (records) => records.slice(0, -1));
    expect(await begun(await cut).answer(request, yes)).toMatchObject({ status: 'approved' });
  });
});

/** A store whose only run `r` has some records of another one. */
async function copyOf(
  store: Store,
  select: (records: readonly JournalRecord[]) => readonly JournalRecord[],
): Promise<Store> {
  const copy = memoryStore();
  const journal = await copy.open('r', true);
  for (const record of select((await store.read('r')) ?? [])) await journal.append(record);
  await journal.close();
  return copy;
}
