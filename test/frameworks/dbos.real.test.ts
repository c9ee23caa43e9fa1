import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { type DbosClientApi, dbosClient } from '@/adapters/engines/dbos/dbos-client.js';
import { createRun, type EngineClient } from '@/adapters/engines/index.js';
import { type PostgresStore, postgresStore } from '@/adapters/stores/postgres/index.js';
import { describeFramework, type Framework } from '../support/frameworks.js';
import { ended, eventually, type Machines, machines } from '../support/machines.js';
import { missing } from '../support/postgres.js';
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { engineSuite } from './engine-suite.js';

const programs = findPostgres();
const program = 'test/frameworks/programs/machines/dbos-worker.ts';

interface DbosModule {
  readonly DBOS: { readonly migrate: (url: string) => Promise<void> };
  readonly DBOSClient: {
    readonly create: (options: object) => Promise<DbosClientApi & { destroy(): Promise<void> }>;
  };
}

let counted = 0;

function suite(framework: Framework, bin: string): void {
  let server: PostgresServer;
  let database: DbosClientApi & { destroy(): Promise<void> };
  let store: PostgresStore;
  let client: EngineClient;
  let here: Machines;

  beforeAll(async () => {
    server = await startPostgres(bin);
    const { DBOS, DBOSClient } = (await framework.load(
      '@dbos-inc/dbos-sdk',
    )) as unknown as DbosModule;
    await DBOS.migrate(server.address);
    database = await DBOSClient.create({
      systemDatabaseUrl: server.address,
      applicationName: 'reviewloop',
    });
  });
  afterAll(async () => {
    await store?.close();
    await database?.destroy();
    server?.close();
  });
  beforeEach(async () => {
    counted += 1;
    const schema = `runs_${counted}`;
    store = postgresStore(server.address, { schema, leaseMs: 2000 });
    await store.migrate();
    client = dbosClient(database, { store, queue: `q${counted}` });
    here = await machines({
      program,
      folder: framework.folder,
      environment: { DATABASE: server.address, SCHEMA: schema, QUEUE: `q${counted}` },
    });
  });

  const outage = async (): Promise<void> => {
    await server.crash();
    await server.start();
  };
  engineSuite('DBOS', ['PostgreSQL'], () => ({
    store,
    client,
    here,
    outages: { PostgreSQL: outage },
  }));

  it('takes over from a worker that is gone for good', async () => {
    const gone = await here.start({ CALL_MS: '1500' });
    await client.start('article', 'tea', { runId: 'r' });
    await eventually(() => here.notes().some(({ event }) => event === 'start'));
    gone.kill('SIGKILL');
    await ended(gone);
    // a lost run is looked for late, so that only the sweep over dead workers is left
    const other = await here.start({ LOST_MS: '600000', SWEEP_MS: '500' });
    const takenOver = (): boolean =>
      here.notes().some(({ event, pid }) => event === 'start' && pid === other.pid);
    await eventually(takenOver, 10_000);
    other.kill('SIGKILL');
  });

  it('takes over from a worker that died before it opened a run', async () => {
    const gone = await here.start({ HANGS: 'read' });
    await client.start('article', 'tea', { runId: 'r' });
    await eventually(() => here.notes().some(({ event }) => event === 'hangs'));
    gone.kill('SIGKILL');
    await ended(gone);
    const other = await here.start({ LOST_MS: '600000', SWEEP_MS: '300' });
    await eventually(() => here.notes().some(({ event }) => event === 'start'), 15_000);
    other.kill('SIGKILL');
  });

  it('wakes a lost run again if an earlier wake-up did not help', async () => {
    await createRun(store, { pipeline: 'article', runId: 'r', task: 'tea' });
    const hanging = await here.start({ HANGS: 'read', LOST_MS: '200', SWEEP_MS: '100' });
    await eventually(() => here.notes().some(({ event }) => event === 'hangs'));
    // what the hanging worker took stays with it: it is alive
    const other = await here.start({ LOST_MS: '200', SWEEP_MS: '100' });
    await eventually(() => here.notes().some(({ event }) => event === 'start'), 15_000);
    for (const each of [hanging, other]) each.kill('SIGKILL');
  });
}

describe('DBOS as the engine', () => {
  if (programs === undefined) missing('runs that DBOS drives', 'no PostgreSQL server');
  else describeFramework('dbos', (framework) => suite(framework, programs));
});
