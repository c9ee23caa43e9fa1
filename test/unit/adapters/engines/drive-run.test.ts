import { describe, expect, it } from 'vitest';
import type { DbosApi } from '@/adapters/engines/dbos/dbos-client.js';
import { serveWithDbos } from '@/adapters/engines/dbos/serve-with-dbos.js';
import {
  cancelRun,
  clientOver,
  createRun,
  driveRun,
  lostRuns,
  recordAnswer,
} from '@/adapters/engines/index.js';
import { ReviewLoopError } from '@/core/errors.js';
import { definePipeline, memoryStore, type Store } from '@/index.js';
import { fakeClock, fakeWorkspace } from '@/testing/index.js';
import { errorWith, expectCode } from '../../../support/matchers.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const person = { kind: 'approve', by: 'Ann' } as const;

function world(store: Store = memoryStore()) {
  let produced = 0;
  let isDown = false;
  const article = definePipeline<string, string>({
    name: 'article',
    produce: async (task) => {
      produced += 1;
      if (isDown) throw new Error('down');
      return task;
    },
    criteria: { fine: () => true },
    human: { policy: 'require' },
  });
  const woken: string[] = [];
  const client = clientOver(store, async ({ runId, why, again }) => {
    woken.push(`${runId}/${why}${again ? ' again' : ''}`);
  });
  const drive = driveRun({ store, pipelines: { article } });
  const request = async (runId: string) => {
    const found = (await store.read(runId))?.find((one) => one.type === 'request');
    if (found?.type !== 'request') throw new Error('nobody is asked');
    return found.request;
  };
  return {
    store,
    article,
    client,
    woken,
    drive,
    request,
    produced: () => produced,
    fail: (down: boolean) => {
      isDown = down;
    },
  };
}

describe('a run that an engine drives', () => {
  it('is created without code, begun, answered without code, and ended', async () => {
    const { store, client, woken, drive, request, produced } = world();
    expect(await client.start('article', 'tea', { runId: 'r' })).toEqual({ created: true });
    expect(await drive('r')).toEqual({ state: 'waiting' });
    const asked = await request('r');
    await client.answer(asked, person);
    expect(woken).toEqual(['r/start', `r/${asked.id}`]);
    expect(await drive('r')).toEqual({
      state: 'ended',
      status: 'approved',
      code: 'person_approved',
    });
    expect(await drive('r')).toEqual({
      state: 'ended',
      status: 'approved',
      code: 'person_approved',
    });
    expect(produced()).toBe(1);
    expect((await store.read('r'))?.filter(({ type }) => type === 'end')).toHaveLength(2);
  });

  it('is created once, and refuses another task or pipeline under its id', async () => {
    const { store, drive } = world();
    const tea = { pipeline: 'article', runId: 'r', task: 'tea' };
    expect(await createRun(store, tea)).toEqual({ created: true });
    expect(await createRun(store, tea)).toEqual({ created: false });
    await drive('r');
    expect(await createRun(store, tea)).toEqual({ created: false });
    for (const other of [{ task: 'mate' }, { pipeline: 'other' }])
      await expectCode(createRun(store, { ...tea, ...other }), 'run_conflict');
    const journal = await store.open('r', true);
    expect(await createRun(store, tea)).toEqual({ created: false });
    await journal.close();
  });

  it('is driven again while another worker has it open', async () => {
    const { store, client, drive } = world();
    await client.start('article', 'tea', { runId: 'r' });
    const journal = await store.open('r', true);
    expect(await drive('r')).toEqual({ state: 'again', code: 'run_busy' });
    await journal.close();
    expect(await drive('r')).toEqual({ state: 'waiting' });
  });

  it.each(['journal_fenced', 'journal_write_failed', 'store_busy'])(
    'is driven again after the outcome failed with %s',
    async (code) => {
      const memory = memoryStore();
      let isBroken = false;
      const store: Store = {
        ...memory,
        open: async (runId, keep) => {
          const journal = await memory.open(runId, keep);
          const append: typeof journal.append = (record) => {
            if (isBroken)
              throw new ReviewLoopError({ code, kind: 'environment', fix: '' } as never, 'lost');
            return journal.append(record);
          };
          return { ...journal, append };
        },
      };
      const { client, drive } = world(store);
      await client.start('article', 'tea', { runId: 'r' });
      isBroken = true;
      expect(await drive('r')).toEqual({ state: 'again', code });
      isBroken = false;
      expect(await drive('r')).toEqual({ state: 'waiting' });
    },
  );

  it('is not begun by a worker that stops', async () => {
    const { store, article, client, produced } = world();
    await client.start('article', 'tea', { runId: 'r' });
    const drive = driveRun({ store, pipelines: { article }, release: AbortSignal.abort() });
    expect(await drive('r')).toEqual({ state: 'again', code: 'released' });
    expect(produced()).toBe(0);
  });

  it('is over for good if the abort of an engine is passed as signal', async () => {
    const { client, drive } = world();
    await client.start('article', 'tea', { runId: 'r' });
    expect(await drive('r', { signal: AbortSignal.abort() })).toMatchObject({
      status: 'cancelled',
    });
    expect(await drive('r')).toMatchObject({ state: 'ended', status: 'cancelled' });
  });

  it('that failed is tried again only if asked', async () => {
    const { client, drive, fail, woken, produced } = world();
    await client.start('article', 'tea', { runId: 'r' });
    fail(true);
    expect(await drive('r')).toMatchObject({ state: 'ended', code: 'produce_failed' });
    fail(false);
    expect(await drive('r')).toMatchObject({ state: 'ended', code: 'produce_failed' });
    expect(produced()).toBe(1);
    await client.retry('r');
    expect(woken.at(-1)).toMatch(/^r\/again:\d+ again$/);
    expect(await drive('r', { again: true })).toEqual({ state: 'waiting' });
  });

  it('tells until when it can be answered, and ends then', async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const article = definePipeline<string, string>({
      name: 'article',
      produce: () => 'text',
      criteria: { fine: () => true },
      clock,
      human: { policy: 'require', expiresAfterMs: 1000 },
    });
    await createRun(store, { pipeline: 'article', runId: 'r', task: 'tea', clock });
    const drive = driveRun({ store, pipelines: { article } });
    const until = new Date(clock.now() + 1000).toISOString();
    expect(await drive('r')).toEqual({ state: 'waiting', until });
    clock.advance(1001);
    expect(await drive('r')).toMatchObject({ state: 'ended', status: 'timed_out' });
  });

  it('says how its pipeline changed', async () => {
    const { store, client, drive } = world();
    await client.start('article', 'tea', { runId: 'r' });
    await drive('r');
    const changed = definePipeline<string, string>({
      name: 'article',
      version: '2',
      produce: () => 'text',
      criteria: { fine: () => true },
      human: { policy: 'require' },
    });
    expect(await driveRun({ store, pipelines: { article: changed } })('r')).toEqual({
      state: 'waiting',
      changed: ['version changed from "" to "2"'],
    });
  });

  it('needs its pipeline, under its name, without files of one machine', async () => {
    const { store, client, article, drive } = world();
    await createRun(store, { pipeline: 'other', runId: 'o', task: 1 });
    await expect(drive('o')).rejects.toMatchObject({ code: 'pipeline_unknown' });
    await expect(drive('none')).rejects.toMatchObject({ code: 'run_unknown' });
    await expect(client.retry('none')).rejects.toMatchObject({ code: 'run_unknown' });
    expect(() => driveRun({ store, pipelines: { other: article } })).toThrow(
      /with the name 'other'/,
    );
    expect(() => driveRun({ store, pipelines: { article: {} as never } })).toThrow(
      /a pipeline of definePipeline/,
    );
    const files = definePipeline<string, string>({
      name: 'files',
      produce: () => 'x',
      criteria: { fine: () => true },
      workspace: fakeWorkspace(),
    });
    expect(() => driveRun({ store, pipelines: { files } })).toThrow(/only one machine has/);
  });
});

describe('an answer without code of the pipeline', () => {
  it('goes through the checks of the pipeline, and the audit log', async () => {
    const { store, client, drive, request } = world();
    await client.start('article', 'tea', { runId: 'r' });
    await drive('r');
    const asked = await request('r');
    const who: string[] = [];
    const audit = {
      record: async ({ who: name }: { who: string }) => {
        who.push(name);
        return { seq: 1, hash: '' };
      },
    };
    await expectCode(recordAnswer(store, { ...asked, digest: 'x' }, person), 'request_stale');
    await expectCode(recordAnswer(store, asked, { kind: 'skip', by: 'Ann' }), 'answer_not_allowed');
    await expectCode(recordAnswer(store, { ...asked, runId: 'none' }, person), 'run_unknown');
    await expectCode(
      recordAnswer(store, asked, person, {
        audit: {
          record: () => Promise.reject(new Error('full')),
        },
      }),
      'audit_unwritable',
    );
    expect(await recordAnswer(store, asked, person, { audit })).toEqual({ pipeline: 'article' });
    expect(who).toEqual(['Ann']);
    await expectCode(recordAnswer(store, asked, person), 'request_answered');
    expect(await store.read('none')).toBeUndefined();
  });

  it('waits for a worker that has the run open, but not for ever', async () => {
    const { store, client, drive, request } = world();
    await client.start('article', 'tea', { runId: 'r' });
    await drive('r');
    const asked = await request('r');
    const clock = fakeClock();
    const journal = await store.open('r', true);
    const late = expectCode(
      recordAnswer(store, asked, person, { clock, patienceMs: 150 }),
      'run_busy',
    );
    for (let i = 0; i < 3; i += 1) {
      await turn();
      clock.advance(100);
    }
    await late;
    const soon = recordAnswer(store, asked, person, { clock, patienceMs: 1000 });
    await turn();
    await journal.close();
    clock.advance(100);
    await expect(soon).resolves.toEqual({ pipeline: 'article' });
  });
});

it('a run that is cancelled ends if it waits or has not begun; an ended one stays as it is', async () => {
  const { store, client, drive } = world();
  await client.startAll(
    'article',
    ['a', 'b'].map((runId) => ({ runId, task: 'tea' })),
  );
  await drive('b');
  for (const runId of ['a', 'b']) {
    expect(await cancelRun(store, runId)).toEqual({ cancelled: true });
    expect(await client.cancel(runId)).toEqual({ cancelled: false });
    expect(await drive(runId)).toMatchObject({ state: 'ended', status: 'cancelled' });
  }
  await expect(cancelRun(store, 'none')).rejects.toMatchObject({ code: 'run_unknown' });
});

it('a wake-up that is lost is an error of the client, and the run is found', async () => {
  const { store } = world();
  const client = clientOver(store, () => Promise.reject(new Error('unreachable')));
  await expect(client.start('article', 'tea', { runId: 'r' })).rejects.toMatchObject({
    code: 'wake_failed',
    retryable: true,
  });
  const now = Date.now();
  expect(await lostRuns(store, { olderThanMs: 60_000, now })).toEqual([]);
  expect(await lostRuns(store, { olderThanMs: 60_000, now: now + 61_000 })).toEqual([
    { runId: 'r', pipeline: 'article', epoch: '1' },
  ]);
});

/** A DBOS that notes its configuration, and its queues. */
function fakeDbos() {
  const noted: { config?: object; queues: string[]; limits?: object } = { queues: [] };
  const dbos: DbosApi = {
    setConfig: (config) => {
      noted.config = config;
    },
    launch: async () => {},
    shutdown: async () => {},
    registerWorkflow: () => {},
    registerQueue: async (name, limits) => {
      noted.queues.push(name);
      if (limits !== undefined) noted.limits = limits;
    },
    runStep: (work) => work(),
    sleep: async () => {},
    now: async () => 0,
    enqueueWorkflowWithOptions: async () => {},
    listWorkflows: async () => [],
    resumeWorkflows: async () => {},
    stepStatus: undefined,
  };
  return { dbos, noted };
}

const article = definePipeline({
  name: 'article',
  produce: async (task: string) => task,
  criteria: { fine: () => true },
});
const options = (config?: object) => ({
  store: { ...memoryStore(), worker: 'worker-1' },
  pipelines: { article },
  clock: fakeClock(),
  ...(config !== undefined && { config }),
});

describe('the configuration of a worker of DBOS', () => {
  it('has the id of the process in the store, and the queues of the caller too', async () => {
    const { dbos, noted } = fakeDbos();
    const config = { systemDatabaseUrl: 'postgres://x', listenQueues: ['mine'] };
    const worker = await serveWithDbos(dbos, { ...options(config), workerConcurrency: 3 });
    expect(noted.config).toEqual({
      name: 'reviewloop',
      executorID: 'worker-1',
      applicationVersion: 'reviewloop-1',
      listenQueues: ['reviewloop.article', 'mine'],
      systemDatabaseUrl: 'postgres://x',
    });
    expect(noted.limits).toMatchObject({ workerConcurrency: 3, minPollingIntervalMs: 1000 });
    await worker.stop();
  });

  it('may repeat the id, and nothing else', async () => {
    const { dbos } = fakeDbos();
    await (await serveWithDbos(dbos, options({ executorID: 'worker-1' }))).stop();
    await expect(serveWithDbos(dbos, options({ executorID: 'local' }))).rejects.toMatchObject(
      errorWith('invalid_options', /config\.executorID.*store\.worker.*worker-1.*local/),
    );
    await expect(serveWithDbos(dbos, options({ applicationVersion: 'v7' }))).rejects.toThrow(
      /config\.applicationVersion.*reviewloop-1.*v7/,
    );
    await expect(serveWithDbos(dbos, options({ listenQueues: 'a' }))).rejects.toThrow(
      /config\.listenQueues/,
    );
  });

  it('refuses wrong and unknown options', async () => {
    const { dbos } = fakeDbos();
    for (const wrong of [{ sweepMs: 0 }, { stopMs: -1 }, { lostAfterMs: 0 }, { sweeps: 1 }])
      await expectCode(serveWithDbos(dbos, { ...options(), ...wrong }), 'invalid_options');
  });
});
