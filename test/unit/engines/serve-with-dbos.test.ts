import { describe, expect, it } from 'vitest';
import { type DbosApi, serveWithDbos } from '@/engines/dbos/index.js';
import { definePipeline, memoryStore } from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { errorWith } from '../../support/matchers.js';

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
      await expect(serveWithDbos(dbos, { ...options(), ...wrong })).rejects.toMatchObject({
        code: 'invalid_options',
      });
  });
});
