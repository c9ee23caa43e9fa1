import { orphansIn } from '../ports/run-pages.js';
import type { RunQuery, RunSummary, Store } from '../ports/store.js';
import { ensure, ensureEqual, type StoreCase, type StoreCases } from './contract-case.js';
import {
  end,
  header,
  idsOf,
  journalCases,
  listCases,
  step,
  waitingCases,
  write,
  writerCases,
} from './journal-cases.js';

const pagingCases: readonly StoreCase<Store>[] = [
  {
    name: 'pages return every run once, with its pipeline, its code and its start',
    run: async (store) => {
      for (const runId of ['e', 'b', 'd', 'a', 'c'])
        await (await write(store, runId, [header(runId), end('approved')])).close();
      const runs = await pagesOf(store, { limit: 2 });
      ensureEqual(runs.map(({ runId }) => runId).sort(), ['a', 'b', 'c', 'd', 'e'], 'all pages');
      const { cursor, ...shown } = runs.find(({ runId }) => runId === 'b') ?? {};
      ensureEqual(
        shown,
        { runId: 'b', status: 'approved', pipeline: 'contract', code: 'approved', startedAt: 1 },
        'a run of a page',
      );
      ensure(typeof cursor === 'string', 'a run of a page must have a `cursor`');
      ensureEqual((await store.list({ limit: 9 })).length, 5, 'a page that is not full');
    },
  },
  {
    name: 'a query filters by status and by pipeline, also in pages',
    run: async (store) => {
      for (const [runId, pipeline, status] of [
        ['a', 'article', 'approved'],
        ['b', 'article', 'suspended'],
        ['c', 'code', 'approved'],
        ['d', 'article', 'approved'],
      ] as const)
        await (await write(store, runId, [{ ...header(runId), pipeline }, end(status)])).close();
      const asked = { status: 'approved', pipeline: 'article' };
      ensureEqual((await store.list(asked)).map(({ runId }) => runId).sort(), ['a', 'd'], 'list');
      const pages = await pagesOf(store, { ...asked, limit: 1 });
      ensureEqual(pages.map(({ runId }) => runId).sort(), ['a', 'd'], 'pages');
      ensureEqual(await store.list({ pipeline: 'unknown' }), [], 'another pipeline');
      ensureEqual(await store.list({ status: 'failed', limit: 5 }), [], 'another status');
    },
  },
  {
    name: 'a run that is running and that nobody has open is an orphan, by pages',
    run: async (store) => {
      for (const runId of ['a', 'b', 'c'])
        await (await write(store, runId, [header(runId), step('one', 1)])).close();
      await (await write(store, 'ended', [header('ended'), end('approved')])).close();
      await (await write(store, 'waits', [header('waits'), end('suspended')])).close();
      const open = await write(store, 'open', [header('open')]);
      const first = await orphansIn(store, { limit: 2, olderThanMs: 0 });
      const second = await orphansIn(store, { limit: 2, olderThanMs: 0, after: first.next });
      const runs = [...first.runs, ...second.runs];
      ensureEqual(runs.map(({ runId }) => runId).sort(), ['a', 'b', 'c'], 'orphans');
      ensureEqual(first.runs.length, 2, 'runs of the first page');
      ensure(second.next === undefined, 'the last page must have no `next`');
      ensureEqual(runs[0]?.pipeline, 'contract', 'the pipeline of an orphan');
      await open.append(step('one', 1));
      await open.close();
    },
  },
  {
    name: 'a run is no orphan while it is open, and has another epoch once it was continued',
    run: async (store) => {
      await (await write(store, 'a', [header('a')])).close();
      const [before] = (await orphansIn(store, { limit: 9, olderThanMs: 0 })).runs;
      const again = await orphansIn(store, { limit: 9, olderThanMs: 0 });
      ensureEqual(again.runs, [before], 'the same orphan, asked twice');
      const journal = await write(store, 'a', [step('one', 1)]);
      ensureEqual(await orphansIn(store, { limit: 9, olderThanMs: 0 }), { runs: [] }, 'while open');
      await journal.close();
      const [after] = (await orphansIn(store, { limit: 9, olderThanMs: 0 })).runs;
      ensure(before?.epoch !== after?.epoch, 'the `epoch` must change when the run continues');
    },
  },
];

async function pagesOf(store: Store, query: RunQuery): Promise<readonly RunSummary[]> {
  const runs: RunSummary[] = [];
  for (let after: string | undefined; ; after = runs.at(-1)?.cursor) {
    const page = await store.list({ ...query, after });
    runs.push(...page);
    ensure(page.length <= (query.limit ?? 0), 'a page must not exceed its limit');
    if (page.length < (query.limit ?? 0)) return runs;
  }
}

const cases = [...journalCases, ...writerCases, ...listCases, ...waitingCases, ...pagingCases];

const reopened: readonly StoreCase<Store>[] = [
  {
    name: 'records survive a reopening of the store',
    run: async (store, reopen) => {
      await (await write(store, 'a', [header('a'), step('one', 1), end('suspended')])).close();
      const again = await reopen();
      ensureEqual(
        await again.read('a'),
        [header('a'), step('one', 1), end('suspended')],
        'records',
      );
      ensureEqual(await idsOf(again, 'suspended'), ['a'], 'suspended runs');
    },
  },
];

export const runCases: StoreCases<Store> = { cases, reopened };
