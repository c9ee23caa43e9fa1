import { describe, expect, it } from 'vitest';
import { memoryVerdicts, type VerdictStore } from '@/index.js';
import {
  type AuditEntry,
  type AuditMark,
  type AuditRecord,
  type AuditSink,
  checkedEntry,
  nextRecord,
} from '@/ports/audit-chain.js';
import type { LessonStore } from '@/ports/lesson-store.js';
import { memoryStore } from '@/ports/memory-store.js';
import { type Journal, JournalRecordSchema, type Store } from '@/ports/store.js';
import { type ChecklistStore, memoryChecklists } from '@/products/checklist-gate/index.js';
import {
  type AttemptStore,
  memoryAttempts,
  type TaskAttempt,
} from '@/products/task-review/index.js';
import { storeContract } from '@/testing/index.js';
import { faultsOf, type Kept } from './faults.js';

const faultsIn = async (options: Kept): Promise<string> =>
  (await faultsOf(storeContract(options))).join('\n');

it('the contract needs a store to try, and functions that open it', () => {
  expect(() => storeContract({})).toThrow('needs a store to try');
  expect(() => storeContract({ runs: 7 as never })).toThrow('expected `runs` to be a function');
});

describe('the contract finds stores of runs that break it', () => {
  const breaks = (name: string, expected: RegExp, wrap: (inner: Store) => Partial<Store>) =>
    it(name, async () => {
      const makeStore = (): Store => {
        const inner = memoryStore();
        return { ...inner, ...wrap(inner) };
      };
      expect(await faultsIn({ runs: makeStore })).toMatch(expected);
    });

  breaks('one that lets a second writer in', /second writer/, (inner) => {
    const journals = new Map<string, Journal>();
    const open = async (runId: string, keep: boolean): Promise<Journal> => {
      await journals.get(runId)?.close();
      const journal = await inner.open(runId, keep);
      journals.set(runId, journal);
      return journal;
    };
    return { open };
  });
  breaks(
    'one that creates a run which must be known',
    /an unknown run: expected a rejection/,
    (inner) => ({ openKnown: async (runId) => inner.open(runId, true) }),
  );
  breaks(
    'one that puts all runs into one journal',
    /already in progress.*all runs: expected.*all pages: expected/s,
    (inner) => ({ open: (_, keep) => inner.open('one', keep), read: () => inner.read('one') }),
  );
  breaks('one that takes a record which it cannot read back', /"path": \[\s*"name"/, (inner) => ({
    read: async (runId) =>
      (await inner.read(runId))?.map((record) => JournalRecordSchema.parse(record)),
  }));
  breaks(
    'one that ignores the status it is asked for',
    /approved runs: expected \["a","c"\], got \["a","b","c"\]/,
    (inner) => ({ list: () => inner.list() }),
  );
  breaks('one that ignores the limit of a page', /a page must not exceed its limit/, (inner) => ({
    list: (query = {}) => inner.list({ ...query, limit: query.limit && 9 }),
  }));
  breaks('one that ignores the cursor of a page', /all pages: expected/, (inner) => {
    let pages = 0;
    const list: Store['list'] = async ({ after, ...query } = {}) => {
      pages += 1;
      return pages > 9 ? [] : inner.list(query);
    };
    return { list };
  });
  breaks(
    'one that ignores the pipeline that it is asked for',
    /list: expected \["a","d"\]/,
    (inner) => ({ list: ({ pipeline, ...query } = {}) => inner.list(query) }),
  );
  breaks('one whose orphans are open', /orphans: expected.*while open: expected/s, (inner) => ({
    orphans: async () => {
      const running = await inner.list({ status: 'running' });
      return {
        runs: running.map(({ runId }) => ({ runId, pipeline: 'contract', epoch: '1' })),
      };
    },
  }));

  it('one that forgets when it is opened again', async () => {
    const forgetful = await faultsIn({ place: () => 'a', runs: () => memoryStore() });
    expect(forgetful).toMatch(/^Error: records: expected/);
    const one = memoryStore();
    const [kept] = storeContract({ place: () => 'a', runs: () => one }).slice(-1);
    await kept?.run();
  });
});

describe('the contract finds stores of verdicts that break it, also by the cases of all values', () => {
  type Held = Awaited<ReturnType<VerdictStore['get']>>;
  const broken = (verdicts: () => VerdictStore, place?: () => string): Promise<string> =>
    faultsIn({ verdicts, ...(place && { place }) });
  const map = (keyOf: (key: string, verdict?: Held) => string): VerdictStore => {
    const held = new Map<string, Held>();
    return {
      get: async (key) => structuredClone(held.get(keyOf(key))),
      put: async (key, verdict) => void held.set(keyOf(key, verdict), structuredClone(verdict)),
    };
  };

  it('none of which is the yardstick: a map that copies', async () =>
    expect(await broken(() => map((key) => key))).toBe(''));

  it('one that forgets the task: its keys of two tasks are one', async () => {
    const keys = new Map<string, string>();
    const store = (): VerdictStore => {
      const inner = map((key) => key);
      const taskless = ({ reviewer, version, view, history }: NonNullable<Held>['about']): string =>
        JSON.stringify([reviewer, version, view, history]);
      const first = new Map<string, string>();
      return {
        get: async (key) => inner.get(first.get(keys.get(key) ?? '') ?? key),
        put: async (key, verdict) => {
          keys.set(key, taskless(verdict.about));
          if (!first.has(taskless(verdict.about))) first.set(taskless(verdict.about), key);
          await inner.put(key, verdict);
        },
      };
    };
    expect(await broken(store)).toMatch(
      /the verdict of the other task: expected .*"task":"another".* got .*"task":"task"/,
    );
  });

  it('one that shortens its keys', async () =>
    expect(await broken(() => map((key) => key.slice(0, 1)))).toMatch(
      /another task has a verdict|view \d+: expected/,
    ));

  it('one that gives a stale verdict: the first under a key stays', async () => {
    const store = (): VerdictStore => {
      const inner = map((key) => key);
      return {
        get: inner.get,
        put: async (key, verdict) =>
          (await inner.get(key)) === undefined ? inner.put(key, verdict) : undefined,
      };
    };
    expect(await broken(store)).toMatch(/the verdict: expected .*after.* got .*line/);
  });

  it.each<[string, (verdict: Held) => Held, RegExp]>([
    ['shares what it holds', (verdict) => verdict, /after a change of the stored verdict/],
    [
      'copies what is put, and shares what it gives',
      structuredClone,
      /after a change of the returned verdict/,
    ],
  ])('one that %s', async (_, kept, complaint) => {
    const store = (): VerdictStore => {
      const held = new Map<string, Held>();
      return {
        get: async (key) => held.get(key),
        put: async (key, verdict) => void held.set(key, kept(verdict)),
      };
    };
    expect(await broken(store)).toMatch(complaint);
  });

  it('one that forgets when it is opened again', async () => {
    const found = await broken(
      () => memoryVerdicts(),
      () => 'a',
    );
    expect(found).toMatch(/the verdict: expected/);
  });
});

describe('the contract finds stores of checklists that break it', () => {
  type Wrap = (inner: ChecklistStore) => Partial<ChecklistStore>;
  const breaks = (name: string, expected: RegExp, wrap: Wrap) =>
    it(name, async () => {
      const makeStore = () => {
        const inner = memoryChecklists();
        return { ...inner, ...wrap(inner) };
      };
      expect(await faultsIn({ checklists: makeStore })).toMatch(expected);
    });

  breaks('one that puts all phases into one state', /another phase has a state/, (inner) => ({
    read: () => inner.read('plan-code'),
    update: (_, change) => inner.update('plan-code', change),
  }));
  breaks(
    'one whose changes overtake each other',
    /the iteration after 30 changes: expected 30/,
    (inner) => ({
      update: async (phase, change) => {
        const next = change(await inner.read(phase));
        return inner.update(phase, () => next);
      },
    }),
  );
  breaks('one that begins with a state', /it has a state/, (inner) => ({
    read: async (phase) =>
      (await inner.read(phase)) ?? { schema_version: '1.1', phase, iteration: 1, items: [] },
  }));
  breaks(
    'one that hides the error of a change',
    /the error of the change must be passed on/,
    (inner) => ({
      update: (phase, change) =>
        inner.update(phase, change).catch((error: unknown) => {
          throw new Error('the change failed', { cause: error });
        }),
    }),
  );
  breaks(
    'one that drops members that it does not know',
    /the result of the change: expected/,
    (inner) => ({
      update: (phase, change) =>
        inner.update(phase, (state) => {
          const { schema_version, iteration, items, run, inputs } = change(state);
          return { schema_version, phase, iteration, items, run, inputs };
        }),
    }),
  );
});

describe('the contract finds stores of attempts that break it', () => {
  const breaks = (name: string, expected: RegExp, wrap: (inner: AttemptStore) => AttemptStore) =>
    it(name, async () => {
      expect(await faultsIn({ attempts: () => wrap(memoryAttempts()) })).toMatch(expected);
    });
  /** A store that keeps another attempt than the one it is given. */
  const keeps = (name: string, expected: RegExp, change: (attempt: TaskAttempt) => TaskAttempt) =>
    breaks(name, expected, (inner) => ({
      ...inner,
      record: async (attempt) => inner.record(change(attempt)),
    }));

  keeps(
    'one that takes an attempt of each run for the same',
    /the attempts at the first task: expected/,
    (attempt) => ({ ...attempt, runId: 'one' }),
  );
  keeps(
    'one that erases a verdict when a person approves',
    /the attempt: expected .*"failed"/,
    (attempt) =>
      attempt.humanDecision === 'approve' ? { ...attempt, machineVerdict: 'passed' } : attempt,
  );
  keeps(
    'one that keeps 0 for what is not known',
    /the attempts: expected .*"issues":null/,
    (attempt) => ({ ...attempt, issues: attempt.issues ?? 0 }),
  );
  breaks('one that adds where it must replace', /the attempts: expected/, (inner) => {
    let runs = 0;
    return {
      ...inner,
      record: async (attempt) => inner.record({ ...attempt, runId: `${attempt.runId} ${runs++}` }),
    };
  });
  keeps('one that takes anything', /attempt 0: expected a rejection/, (attempt) => ({
    ...attempt,
    attempt: 1,
    at: '2026-01-01T00:00:00.000Z',
  }));
  breaks(
    'one that tells the newest first',
    /the attempts at the first task: expected/,
    (inner) => ({ ...inner, of: async (id) => [...(await inner.of(id))].reverse() }),
  );
  breaks(
    'one that tells the first as the last',
    /the last attempt at the first task: expected/,
    (inner) => ({ ...inner, last: async (id) => (await inner.of(id))[0] }),
  );
});
describe('the contract finds audit logs that break it', () => {
  /** A log in an array, and how one of its records comes about. */
  const logOf = (
    make: (entry: AuditEntry, records: AuditRecord[]) => Promise<AuditMark> | AuditMark,
    records: AuditRecord[] = [],
  ): AuditSink => ({ record: async (entry) => make(entry, records) });
  const append = (entry: AuditEntry, records: AuditRecord[]): AuditMark => {
    const record = nextRecord(checkedEntry(entry), { last: records.at(-1), at: '2026-01-01' });
    records.push(record);
    return { seq: record.seq, hash: record.hash };
  };
  /** Logs in places; one that forgets begins anew whenever it is opened. */
  const broken = (make: Parameters<typeof logOf>[0], forgets = false): Promise<string> => {
    const places = new Map<string, AuditRecord[]>();
    let count = 0;
    return faultsIn({
      place: () => `${count++}`,
      audit: (place) => {
        const records = (forgets ? undefined : places.get(place)) ?? [];
        places.set(place, records);
        return logOf(make, records);
      },
      records: async (place) => places.get(place) ?? [],
    });
  };

  it('none of which is the yardstick: a chained array', async () =>
    expect(await broken(append)).toBe(''));

  const breaks = (name: string, expected: RegExp, make: Parameters<typeof logOf>[0]) =>
    it(name, async () => {
      expect(await broken(make)).toMatch(expected);
    });

  breaks('one that takes any entry', /kind "": expected a rejection/, (entry, records) => {
    const record = nextRecord(entry, { last: records.at(-1), at: '2026-01-01' });
    records.push(record);
    return record;
  });
  breaks(
    'one that returns before two writers have their own number',
    /the numbers: expected/,
    async (entry, records) => {
      const last = records.at(-1);
      await Promise.resolve();
      const record = nextRecord(checkedEntry(entry), { last, at: '2026-01-01' });
      records.push(record);
      return { seq: record.seq, hash: record.hash };
    },
  );
  breaks('one that merges equal entries', /the numbers: expected/, (entry, records) => {
    const known = records.find(({ who }) => who === entry.who);
    return known === undefined ? append(entry, records) : { seq: known.seq, hash: known.hash };
  });
  breaks('one that drops the reason', /the record: expected/, ({ reason: _, ...entry }, records) =>
    append(entry, records),
  );
  breaks('one that stores secrets', /a secret in a reason/, (entry, records) => {
    const mark = append(entry, records);
    const [record] = records.splice(-1);
    if (record !== undefined) records.push({ ...record, reason: entry.reason });
    return mark;
  });
  breaks(
    'one whose records are not chained',
    /was changed after it was written|does not follow/,
    (entry, records) => {
      const { seq } = append(entry, records);
      const [record] = records.splice(-1);
      const loose = nextRecord(checkedEntry(entry), { last: undefined, at: '2026-01-01' });
      if (record !== undefined) records.push({ ...record, ...loose, seq });
      return { seq, hash: loose.hash };
    },
  );

  it('one that begins anew when it is opened again', async () => {
    expect(await broken(append, true)).toMatch(/the next number: expected 2, got 1/);
  });
});

/** A list of lessons, which keeps the contract. */
function lessonList(): LessonStore {
  const lessons: string[] = [];
  return {
    relevantTo: async () => lessons.join('\n'),
    capture: async ({ outcome }) => void lessons.push(outcome.reason),
  };
}

it('a list of lessons keeps the contract of lesson stores', async () =>
  expect(await faultsIn({ lessons: lessonList })).toBe(''));

it.each<[string, Partial<LessonStore>, RegExp]>([
  ['that knows only texts', { relevantTo: async (task) => (task as '').slice(0, 0) }, /slice|null/],
  ['that starts with lessons', { relevantTo: async () => 'be brief' }, /empty store/],
  ['that fails to capture', { capture: () => Promise.reject(new Error('disk full')) }, /disk full/],
])('the contract finds a store of lessons that breaks it: %s', async (_, part, message) => {
  const store = { ...lessonList(), ...part };
  expect(await faultsIn({ lessons: () => store })).toMatch(message);
});
