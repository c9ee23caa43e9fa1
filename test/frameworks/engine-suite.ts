import { expect, it } from 'vitest';
import {
  createRun,
  type EngineClient,
  recordAnswer,
  type SharedStore,
} from '@/adapters/engines/index.js';
import { chaos, disturb } from '../support/disturbed-machines.js';
import { ended, eventually, type Machines, paidCalls } from '../support/machines.js';

/** What a test over an engine has, fresh for each test. */
export interface EngineWorld {
  readonly store: SharedStore;
  readonly client: EngineClient;
  readonly here: Machines;
  /** Breaks what all workers share, and resolves when it works again; by what is broken. */
  readonly outages: Readonly<Record<string, () => Promise<void>>>;
}

const person = { kind: 'approve', by: 'Ann' } as const;

/**
 * What holds for runs whichever engine drives them.
 *
 * @param broken - The names of `outages`.
 */
export function engineSuite(
  name: string,
  broken: readonly string[],
  world: () => EngineWorld,
): void {
  const status = async (runId: string) => {
    const end = (await world().store.read(runId))?.findLast((one) => one.type === 'end');
    return end?.type === 'end' ? end.status : 'running';
  };
  const request = async (runId: string) => {
    const asked = (await world().store.read(runId))?.findLast((one) => one.type === 'request');
    if (asked?.type !== 'request') throw new Error(`${runId} asks nothing`);
    return asked.request;
  };
  const reaches = (runId: string, wanted: string) =>
    eventually(async () => (await status(runId)) === wanted);

  it('starts a run, waits without a process, and goes on in another worker after an answer', async () => {
    const first = await world().here.start();
    await world().client.start('article', 'tea', { runId: 'r' });
    await reaches('r', 'suspended');
    first.kill('SIGTERM');
    await ended(first);
    await world().client.answer(await request('r'), person);
    expect(await status('r')).toBe('suspended');
    const second = await world().here.start();
    await reaches('r', 'approved');
    expect([...paidCalls(world().here.notes()).values()]).toEqual([1, 1, 1, 1, 1, 1]);
    second.kill('SIGTERM');
    await ended(second);
  });

  it('continues a run whose wake-up was lost', async () => {
    const worker = await world().here.start({ LOST_MS: '500', SWEEP_MS: '300' });
    const { store } = world();
    await createRun(store, { pipeline: 'article', runId: 'r', task: 'tea' });
    await reaches('r', 'suspended');
    await recordAnswer(store, await request('r'), person);
    await reaches('r', 'approved');
    worker.kill('SIGKILL');
  });

  it('ends a run whose question expired', async () => {
    const worker = await world().here.start({
      PIPELINE: JSON.stringify({ human: { policy: 'require', expiresAfterMs: 1500 } }),
    });
    await world().client.start('article', 'tea', { runId: 'r' });
    await reaches('r', 'timed_out');
    worker.kill('SIGKILL');
  });

  it('cancels a run that waits, and does not go on with it', async () => {
    const { client, here } = world();
    const worker = await here.start();
    await client.start('article', 'tea', { runId: 'r' });
    await reaches('r', 'suspended');
    const asked = await request('r');
    expect(await client.cancel('r')).toEqual({ cancelled: true });
    expect(await client.cancel('r')).toEqual({ cancelled: false });
    await client.answer(asked, person).catch(() => {});
    worker.kill('SIGTERM');
    await ended(worker);
    expect(here.notes().filter(({ event }) => event === 'start')).toHaveLength(6);
  });

  it('cancels a run that is at work: its worker records the end', async () => {
    const { client, here, store } = world();
    const worker = await here.start({ CALL_MS: '20000' });
    await client.start('article', 'tea', { runId: 'r' });
    await eventually(() => here.notes().some(({ event }) => event === 'start'));
    expect(await client.cancel('r')).toEqual({ cancelled: false });
    expect((await store.read('r'))?.at(-1)).toMatchObject({ type: 'end', status: 'cancelled' });
    worker.kill('SIGKILL');
  });

  it('tries a run again that failed', async () => {
    const failing = await world().here.start({ FAILS: 'produce' });
    await world().client.start('article', 'tea', { runId: 'r' });
    await reaches('r', 'failed');
    failing.kill('SIGTERM');
    await ended(failing);
    await world().here.start();
    await world().client.retry('r');
    await reaches('r', 'suspended');
  });

  it('asks only judges that changed while runs waited', async () => {
    const old = await world().here.start();
    await world().client.start('article', 'tea', { runId: 'r' });
    await reaches('r', 'suspended');
    old.kill('SIGTERM');
    await ended(old);
    await world().here.start({ PIPELINE: JSON.stringify({ judges: ['a@1', 'b@2'] }) });
    await world().client.answer(await request('r'), person);
    await reaches('r', 'approved');
    const paid = paidCalls(world().here.notes());
    expect(Math.max(...paid.values())).toBe(1);
    expect([...paid.keys()].filter((key) => key.includes('b@2'))).not.toEqual([]);
  });

  it('pays for nothing twice when workers are stopped and started again', async () => {
    const plan = { ...world(), runs: 30, workers: 2, faults: 6, how: 'SIGTERM' } as const;
    const { books } = await disturb(plan);
    expect(books).toMatchObject({ lost: 0, wrong: 0, recordedTwice: 0, paidTwice: 0 });
  });

  const { runs, workers, kills, freezes, outages, timeoutMs } = chaos;
  const sound = { lost: 0, wrong: 0, recordedTwice: 0, begunAfterRecorded: 0, paidTwiceInPeace: 0 };
  it(
    `loses nothing and records nothing twice: ${runs} runs, ${workers} workers, ${kills} kills`,
    async () => {
      const plan = { ...world(), runs, workers, faults: kills, how: 'SIGKILL' } as const;
      const { books } = await disturb(plan);
      console.log(`${name}, kill -9: ${JSON.stringify(books)}`);
      expect(books.faults).toBeGreaterThan(0);
      expect(books).toMatchObject(sound);
    },
    timeoutMs,
  );

  it(
    `loses nothing when owners are frozen: ${runs} runs, ${workers} workers, ${freezes} freezes`,
    async () => {
      const plan = { ...world(), runs, workers, faults: freezes, how: 'SIGSTOP' } as const;
      const { books } = await disturb({ ...plan, everyMs: 700 });
      console.log(`${name}, SIGSTOP: ${JSON.stringify(books)}`);
      expect(books.faults).toBeGreaterThan(0);
      expect(books).toMatchObject(sound);
    },
    timeoutMs,
  );

  for (const what of broken)
    it(
      `loses nothing and pays nothing twice when ${what} ends at once: ${runs} runs, ${outages} times`,
      async () => {
        const { [what]: how = () => Promise.reject(new Error(what)) } = world().outages;
        const plan = { ...world(), runs, workers, faults: outages, how, everyMs: 2000 } as const;
        const { books } = await disturb(plan);
        console.log(`${name}, ${what} ends at once: ${JSON.stringify(books)}`);
        expect(books.faults).toBeGreaterThan(0);
        expect(books).toMatchObject({ ...sound, paidTwice: 0 });
      },
      timeoutMs,
    );
}
