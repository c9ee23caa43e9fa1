import type { ChildProcess } from 'node:child_process';
import type { EngineClient } from '@/adapters/engines/index.js';
import type { Store } from '@/ports/store.js';
import { ended, eventually, type Machines, type Note, paidCalls } from './machines.js';

const [runs = 0, workers = 0, kills = 0] = (process.env['REVIEWLOOP_CHAOS'] ?? '40x3x10')
  .split('x')
  .map(Number);

/** The size of disturbed runs; REVIEWLOOP_CHAOS gives runs, workers and kills, for example 500x4x200. */
export const chaos = {
  runs,
  workers,
  kills,
  freezes: Math.ceil(kills / 4),
  outages: Math.ceil(kills / 20),
  timeoutMs: 120_000 + runs * 2000,
};

/** How workers are disturbed while they work. */
interface Disturbance {
  readonly here: Machines;
  readonly store: Store;
  readonly client: EngineClient;
  readonly runs: number;
  readonly workers: number;
  readonly faults: number;
  /**
   * SIGTERM stops a worker in order, SIGKILL at once; another one takes its place. SIGSTOP freezes it for longer than most
   * leases. A function breaks what all workers share, and resolves when it works again.
   */
  readonly how: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | (() => Promise<void>);
  /** The mean time between two faults, in milliseconds. @default 400 */
  readonly everyMs?: number;
}

/** What the records and the books of the workers say in the end. */
export interface Books {
  readonly runs: number;
  readonly faults: number;
  readonly seconds: number;
  /** Runs that did not end. */
  readonly lost: number;
  /** Runs that did not end as approved, with every step. */
  readonly wrong: number;
  /** Steps with two records of a success. */
  readonly recordedTwice: number;
  /** Paid calls that began after their success was recorded. */
  readonly begunAfterRecorded: number;
  readonly paid: number;
  /** Paid calls beyond the first of a step. */
  readonly paidTwice: number;
  /** Those of them whose worker was neither killed nor frozen during the call before. */
  readonly paidTwiceInPeace: number;
  /** Paid calls that never came back, because their worker was killed. */
  readonly brokenOff: number;
}

/** Errors of an answer that is recorded, or that somebody else gave. */
const harmless = new Set(['request_answered', 'request_stale', 'wake_failed']);

/** How long a frozen worker stands still, in milliseconds. */
const frozenMs = (): number => 500 + Math.random() * 6000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const person = { kind: 'approve', by: 'Ann' } as const;

/** Starts runs and workers, answers every question, breaks things, and closes the books. */
export async function disturb(plan: Disturbance): Promise<{ readonly books: Books }> {
  const { here, store, client, runs, workers } = plan;
  const begun = Date.now();
  const kids = await Promise.all(Array.from({ length: workers }, () => here.start()));
  const ids = Array.from({ length: runs }, (_, i) => `r${i}`);
  await client.startAll(
    'article',
    ids.map((runId) => ({ runId, task: runId })),
  );
  const work: Work = { plan, kids, disturbed: [], isOver: false };
  const answering = answerAll(work);
  const breaking = breakThings(work);
  const open = async () => {
    const all = await store.list();
    return all.filter(({ status }) => status === 'running' || status === 'suspended');
  };
  let faults = 0;
  try {
    await eventually(async () => (await open()).length === 0, 280_000 + runs * 1500);
  } catch (error) {
    const left = (await open()).map(({ runId, status }) => `${runId} ${status}`);
    throw new Error(`runs are still open: ${left.join(', ')}`, { cause: error });
  } finally {
    work.isOver = true;
    [faults] = await Promise.all([breaking, answering]);
    for (const kid of kids) kid?.kill('SIGKILL');
  }
  const seconds = Math.round((Date.now() - begun) / 100) / 10;
  const paidTwiceInPeace = inPeace(here.notes(), work.disturbed);
  return {
    books: { ...(await closed(store, ids, here.notes())), paidTwiceInPeace, faults, seconds },
  };
}

interface Work {
  readonly plan: Disturbance;
  /** The workers; none where one is frozen or starts. */
  readonly kids: (ChildProcess | undefined)[];
  /** When which process was killed or frozen. */
  readonly disturbed: { readonly pid: number | undefined; readonly at: number }[];
  isOver: boolean;
}

async function answerAll(work: Work): Promise<void> {
  const { store, client } = work.plan;
  while (!work.isOver) {
    const { runs: waiting = [] } = (await store.waiting?.({ limit: 50 })) ?? {};
    for (const { questions } of waiting)
      for (const { request } of questions)
        await client.answer(request, person).catch((error: { code?: string }) => {
          if (!harmless.has(String(error.code))) throw error;
        });
    await pause(100);
  }
}

async function breakThings(work: Work): Promise<number> {
  const { everyMs = 400, faults: most, how } = work.plan;
  const mended: Promise<void>[] = [];
  let faults = 0;
  while (!work.isOver && faults < most) {
    // the first one early: few runs end soon
    await pause(everyMs * (0.2 + (faults === 0 ? 0 : Math.random() * 1.6)));
    if (work.isOver) break;
    if (typeof how === 'function') {
      faults += 1;
      await how();
      continue;
    }
    const slot = Math.floor(Math.random() * work.kids.length);
    const kid = work.kids[slot];
    if (kid === undefined) continue;
    faults += 1;
    work.kids[slot] = undefined;
    mended.push(
      disturbOne(work, kid, how).then((again) => {
        work.kids[slot] = again;
      }),
    );
  }
  await Promise.all(mended);
  return faults;
}

/** Disturbs a worker, and returns the one that works in its place afterwards. */
async function disturbOne(
  { plan: { here }, disturbed }: Work,
  kid: ChildProcess,
  how: NodeJS.Signals,
): Promise<ChildProcess> {
  kid.kill(how);
  disturbed.push({ pid: kid.pid, at: Date.now() });
  if (how === 'SIGSTOP') {
    await pause(frozenMs());
    kid.kill('SIGCONT');
    return kid;
  }
  await ended(kid);
  return here.start();
}

/** Counts calls that were paid again although nothing happened to the worker that paid for them first. */
function inPeace(notes: readonly Note[], disturbed: Work['disturbed']): number {
  const last = new Map<string, Note>();
  let found = 0;
  for (const note of notes) {
    if (note.event !== 'start') continue;
    const key = `${note.run} ${note.step}`;
    const before = last.get(key);
    last.set(key, note);
    if (before === undefined) continue;
    const isExplained = disturbed.some(
      ({ pid, at }) => pid === before.pid && at >= before.at && at <= note.at,
    );
    if (!isExplained) found += 1;
  }
  return found;
}

/** Compares what was recorded with what was paid. */
async function closed(
  store: Store,
  ids: readonly string[],
  notes: readonly Note[],
): Promise<Omit<Books, 'faults' | 'seconds' | 'paidTwiceInPeace'>> {
  const paid = paidCalls(notes);
  const total = [...paid.values()].reduce((sum, times) => sum + times, 0);
  let [lost, wrong, recordedTwice, begunAfterRecorded] = [0, 0, 0, 0];
  for (const runId of ids) {
    const records = (await store.read(runId)) ?? [];
    const end = records.at(-1);
    if (end?.type !== 'end' || end.status === 'suspended') lost += 1;
    const steps = records.flatMap((one) => (one.type === 'step' ? [one] : []));
    const names = steps.map(({ name, input }) => `${name} ${input}`);
    recordedTwice += names.length - new Set(names).size;
    const calls = [...paid.keys()].filter((key) => key.startsWith(`${runId} `)).length;
    if (end?.type !== 'end' || end.status !== 'approved' || calls !== 6) wrong += 1;
    for (const { name, at } of steps) {
      const step = stepIn(name);
      const late = notes.filter(
        (note) =>
          note.event === 'start' && note.run === runId && note.step === step && note.at > at + 50,
      );
      begunAfterRecorded += late.length;
    }
  }
  const done = notes.filter(({ event }) => event === 'done').length;
  return {
    runs: ids.length,
    lost,
    wrong,
    recordedTwice,
    begunAfterRecorded,
    paid: total,
    paidTwice: total - paid.size,
    brokenOff: total - done,
  };
}

function stepIn(name: string): string {
  const [, iteration, judge] = /^iter:(\d+)\/review:(\w+)\//.exec(name) ?? [];
  if (judge !== undefined) return `${judge}@1:${iteration}`;
  return name.endsWith('/address') ? 'address' : name;
}
