import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { clientOver } from '@/engines/index.js';
import { postgresStore } from '@/stores/postgres/index.js';
import { root } from '../architecture/repository.js';
import { type Books, chaos, disturb } from '../support/disturbed-machines.js';
import { machines } from '../support/machines.js';
import { describePostgres } from '../support/postgres.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';

const { runs, workers, kills, freezes, outages, timeoutMs } = chaos;
const sound = { lost: 0, wrong: 0, recordedTwice: 0, begunAfterRecorded: 0, paidTwiceInPeace: 0 };

type Plan = Pick<Parameters<typeof disturb>[0], 'how' | 'faults' | 'everyMs'>;

describePostgres(
  'workers that share a database, without an engine',
  ({ programs, freshSchema }) => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(programs);
      return () => server.close();
    });

    const disturbed = async (plan: Plan): Promise<Books> => {
      const schema = freshSchema();
      const store = postgresStore(server.address, { schema, leaseMs: 2000 });
      await store.migrate();
      const folder = join(root, 'temp/machines');
      mkdirSync(folder, { recursive: true });
      const here = await machines({
        program: 'test/frameworks/programs/machines/loop-worker.ts',
        folder,
        environment: { DATABASE: server.address, SCHEMA: schema },
      });
      const client = clientOver(store, async () => {});
      const { books } = await disturb({ here, store, client, runs, workers, ...plan });
      const what = typeof plan.how === 'string' ? plan.how : 'PostgreSQL ends at once';
      console.log(`store alone, ${what}: ${JSON.stringify(books)}`);
      await store.close();
      expect(books.faults).toBeGreaterThan(0);
      return books;
    };

    it(
      `lose nothing: ${runs} runs, ${workers} workers, ${kills} kills`,
      async () => {
        expect(await disturbed({ how: 'SIGKILL', faults: kills })).toMatchObject(sound);
      },
      timeoutMs,
    );

    it(
      `lose nothing when they are frozen: ${runs} runs, ${freezes} freezes`,
      async () => {
        const plan = { how: 'SIGSTOP', faults: freezes, everyMs: 700 } as const;
        expect(await disturbed(plan)).toMatchObject(sound);
      },
      timeoutMs,
    );

    it(
      `pay nothing twice when the server ends at once: ${runs} runs, ${outages} times`,
      async () => {
        const how = async (): Promise<void> => {
          await server.crash();
          await server.start();
        };
        const books = await disturbed({ how, faults: outages, everyMs: 2000 });
        expect(books).toMatchObject({ ...sound, paidTwice: 0 });
      },
      timeoutMs,
    );
  },
);
