import type {
  Journal,
  JournalRecord,
  RequestRecord,
  RunRecord,
  Store,
  WaitingRun,
} from '../ports/store.js';
import { waitingIn } from '../ports/waiting-runs.js';
import { type StoreCase as CaseOf, ensure, ensureCode, ensureEqual } from './contract-case.js';

type StoreCase = CaseOf<Store>;

export const journalCases: readonly StoreCase[] = [
  {
    name: 'an unknown run reads as undefined and is not listed',
    run: async (store) => {
      ensure(
        (await store.read('unknown')) === undefined,
        'read of an unknown run must be undefined',
      );
      ensureEqual(await store.list(), [], 'list of an empty store');
    },
  },
  {
    name: 'a new run starts with an empty journal',
    run: async (store) => {
      const journal = await store.open('a', true);
      ensureEqual(journal.records, [], 'records of a new run');
      await journal.close();
    },
  },
  {
    name: 'records are read back equal and in order, from an open journal and a closed one',
    run: async (store) => {
      const records = [
        header('a'),
        step('one', { text: 'line\nbreak "quotes" \u2028 ü 😀', list: [1, null, { deep: true }] }),
        step('two', null),
        end('approved'),
      ];
      const journal = await write(store, 'a', records);
      ensureEqual(await store.read('a'), records, 'read while open');
      await journal.close();
      ensureEqual(await store.read('a'), records, 'read after close');
    },
  },
  {
    name: 'a record that is not valid leaves its run readable',
    run: async (store) => {
      const journal = await write(store, 'a', [header('a')]);
      const wrong: object = { ...step('one', 1), name: 7 };
      const append = async () => journal.append(wrong as JournalRecord);
      await append().catch(() => {});
      await journal.close();
      const [first] = (await store.read('a')) ?? [];
      ensureEqual(first, header('a'), 'the record before it');
    },
  },
  {
    name: 'appends that are not awaited keep their order',
    run: async (store) => {
      const records = [
        header('a'),
        ...Array.from({ length: 50 }, (_, index) => step(`step ${index}`, index)),
      ];
      const journal = await store.open('a', true);
      await Promise.all(records.map(async (record) => journal.append(record)));
      await journal.close();
      ensureEqual(await store.read('a'), records, 'order of records');
    },
  },
  {
    name: 'the next writer receives the records, and appends after them',
    run: async (store) => {
      await (await write(store, 'a', [header('a'), step('one', 1)])).close();
      const next = await store.open('a', true);
      ensureEqual(next.records, [header('a'), step('one', 1)], 'records of the next writer');
      await next.append(step('two', 2));
      ensureEqual(
        next.records,
        [header('a'), step('one', 1)],
        '`records` contains the records from before it was opened',
      );
      await next.close();
      ensureEqual(
        await store.read('a'),
        [header('a'), step('one', 1), step('two', 2)],
        'all records',
      );
    },
  },
  {
    name: 'the records of another run stay untouched',
    run: async (store) => {
      const a = await write(store, 'a', [header('a')]);
      const b = await write(store, 'b', [header('b')]);
      await a.append(step('only in a', 1));
      await Promise.all([a.close(), b.close()]);
      ensureEqual(await store.read('b'), [header('b')], 'records of the other run');
    },
  },
];

export const writerCases: readonly StoreCase[] = [
  {
    name: 'openKnown, if there is one, opens a run with records, and creates none',
    run: async (store) => {
      const { openKnown } = store;
      if (openKnown === undefined) return;
      await ensureCode(() => openKnown('a'), 'run_unknown', 'an unknown run');
      ensureEqual([await store.list(), await store.read('a')], [[], undefined], 'runs');
      await (await write(store, 'a', [header('a')])).close();
      const journal = await openKnown('a');
      ensureEqual(journal.records, [header('a')], 'records');
      await journal.append(step('one', 1));
      await journal.close();
      ensureEqual(await store.read('a'), [header('a'), step('one', 1)], 'records');
    },
  },
  {
    name: 'a second writer is refused with run_busy, and the first continues',
    run: async (store) => {
      const first = await write(store, 'a', [header('a')]);
      await ensureCode(() => store.open('a', true), 'run_busy', 'a second writer');
      await first.append(step('one', 1));
      await first.close();
      ensureEqual(
        await store.read('a'),
        [header('a'), step('one', 1)],
        'records of the first writer',
      );
    },
  },
  {
    name: 'only one of two simultaneous writers is admitted',
    run: async (store) => {
      const tries = await Promise.allSettled([1, 2].map(async () => store.open('a', true)));
      const journals = tries.flatMap((result) =>
        result.status === 'fulfilled' ? [result.value] : [],
      );
      ensure(journals.length === 1, `one writer must be admitted, got ${journals.length}`);
      await journals[0]?.close();
    },
  },
  {
    name: 'an open run blocks no other run',
    run: async (store) => {
      const a = await store.open('a', true);
      const b = await store.open('b', true);
      await Promise.all([a.close(), b.close()]);
    },
  },
];

export const listCases: readonly StoreCase[] = [
  {
    name: 'a run without an end is running',
    run: async (store) => {
      const journal = await write(store, 'a', [header('a')]);
      ensureEqual(await store.list(), [{ runId: 'a', status: 'running' }], 'list');
      await journal.close();
      ensureEqual(
        await store.list({ status: 'running' }),
        [{ runId: 'a', status: 'running' }],
        'list after close',
      );
    },
  },
  {
    name: 'list shows every run once, and filters by status',
    run: async (store) => {
      for (const [runId, status] of [
        ['a', 'approved'],
        ['b', 'suspended'],
        ['c', 'approved'],
      ] as const) {
        await (await write(store, runId, [header(runId), end(status)])).close();
      }
      ensureEqual(await idsOf(store), ['a', 'b', 'c'], 'all runs');
      ensureEqual(await idsOf(store, 'approved'), ['a', 'c'], 'approved runs');
      ensureEqual(await idsOf(store, 'suspended'), ['b'], 'suspended runs');
      ensureEqual(await idsOf(store, 'failed'), [], 'failed runs');
    },
  },
  {
    name: 'a suspended run that continues has the status of its last end',
    run: async (store) => {
      await (await write(store, 'a', [header('a'), end('suspended')])).close();
      await (await write(store, 'a', [step('one', 1), end('approved')])).close();
      ensureEqual(await store.list(), [{ runId: 'a', status: 'approved' }], 'list');
      ensureEqual(
        await store.read('a'),
        [header('a'), end('suspended'), step('one', 1), end('approved')],
        'records',
      );
    },
  },
];

export async function write(
  store: Store,
  runId: string,
  records: readonly JournalRecord[],
): Promise<Journal> {
  const journal = await store.open(runId, true);
  for (const record of records) await journal.append(record);
  return journal;
}

export async function idsOf(store: Store, status?: string): Promise<string[]> {
  return (await store.list(status === undefined ? undefined : { status }))
    .map(({ runId }) => runId)
    .sort();
}

export function header(runId: string): RunRecord {
  return {
    type: 'run',
    schema: 1,
    runId,
    pipeline: 'contract',
    taskDigest: 'digest',
    task: { text: 'task' },
    nonce: 'nonce',
    at: 1,
  };
}

export function step(name: string, value: unknown): JournalRecord {
  return { type: 'step', name, input: 'input', value, at: 2 };
}

export function end(status: string, later = 0): JournalRecord {
  return { type: 'end', status, code: status, at: 3 + later };
}

export const waitingCases: readonly StoreCase[] = [
  {
    name: 'the runs that wait are returned by pages with their open questions, newest first',
    run: async (store) => {
      for (const [index, runId] of ['a', 'b', 'c', 'd', 'e'].entries())
        await (
          await write(store, runId, [
            header(runId),
            question(runId, 'first'),
            question(runId, 'second'),
            answered('first'),
            end(runId === 'd' ? 'approved' : 'suspended', index),
          ])
        ).close();
      const first = await waitingIn(store, { limit: 3 });
      ensureEqual(first.runs.map(shown), ['e second', 'c second', 'b second'], 'first page');
      ensureEqual(
        first.runs[0],
        { runId: 'e', pipeline: 'contract', questions: [question('e', 'second')] },
        'a run that waits',
      );
      const second = await waitingIn(store, { limit: 3, after: first.next });
      ensureEqual(second, { runs: [waitingA] }, 'second page');
      ensureEqual(await waitingIn(store, { limit: 4 }), { runs: [...first.runs, waitingA] }, 'all');
    },
  },
  {
    name: 'decisions answer the question about what is undecided',
    run: async (store) => {
      const asked = question('a', 'first');
      const undecided = [{ criterion: 'tone', question: 'Tone?', reason: '' }];
      const deciding = { ...asked, request: { ...asked.request, undecided } };
      const answer = { kind: 'decide' as const, by: 'Ann', decisions: { tone: 'yes' as const } };
      const decided = { type: 'answer' as const, id: 'other', digest: 'digest', answer, at: 2 };
      const later = question('a', 'later');
      const records = [header('a'), deciding, decided, later, end('suspended')];
      await (await write(store, 'a', records)).close();
      const { runs } = await waitingIn(store, { limit: 9 });
      ensureEqual(runs[0]?.questions, [later], 'open questions');
    },
  },
  {
    name: 'a run that goes on does not wait, and waits with its new questions only',
    run: async (store) => {
      await (
        await write(store, 'a', [header('a'), question('a', 'first'), end('suspended')])
      ).close();
      const next = await write(store, 'a', [answered('first')]);
      ensureEqual(await waitingIn(store, { limit: 9 }), { runs: [] }, 'while it goes on');
      const later = question('a', 'later', 'second version');
      for (const record of [question('a', 'left'), later, end('suspended', 9)])
        await next.append(record);
      await next.close();
      const { runs } = await waitingIn(store, { limit: 9 });
      ensureEqual(runs[0]?.questions, [later], 'questions about the newest version');
    },
  },
];

function shown({ runId, questions }: WaitingRun): string {
  return `${runId} ${questions.map(({ request }) => request.id).join(' ')}`;
}

function question(runId: string, id: string, digest = 'digest'): RequestRecord {
  const request = { id, runId, digest, question: 'Ship it?', gaps: [], allowed: [] };
  return { type: 'request', request: { ...request, allowed: ['approve'] }, at: 2 };
}

const waitingA = { runId: 'a', pipeline: 'contract', questions: [question('a', 'second')] };

function answered(id: string): JournalRecord {
  return { type: 'answer', id, digest: 'digest', answer: { kind: 'approve', by: 'Ann' }, at: 2 };
}
