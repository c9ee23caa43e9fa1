import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOver } from '@/adapters/engines/index.js';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { root } from '../architecture/repository.js';
import { type Books, chaos, disturb } from '../support/disturbed-machines.js';
import { machines } from '../support/machines.js';
import { describePostgres } from '../support/postgres.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { header, step } from '../unit/adapters/stores/file-support.js';
import { bundled, type Child, newFolder, start } from './children.js';
import { paidCalls, paidPipeline, toTheEnd } from './paid-pipeline.js';
import { append, open, ready } from './store-children.js';

async function opened(child: Child): Promise<unknown> {
  for (;;) {
    const answer = await child.ask(open);
    if (JSON.stringify(answer) !== '{"code":"run_busy"}') return answer;
  }
}

describePostgres('processes that share a database', ({ address, freshSchema }) => {
  it('go on with the run of one that was killed, after its lease', async () => {
    const place = `${address()}#${freshSchema()}`;
    const [one, two] = await Promise.all([ready(place), ready(place)]);
    expect(await one.ask(open)).toEqual({ ok: 0 });
    expect(await one.ask(append(header('a'), step('one')))).toEqual({ ok: 2 });
    expect(await two.ask(open)).toEqual({ code: 'run_busy' });
    await one.kill();
    expect(await opened(two)).toEqual({ ok: 2 });
    expect(await two.ask(append(step('two')))).toEqual({ ok: 1 });
    expect(await two.ask({ do: 'close' })).toEqual({ ok: 'closed' });
  });

  it('refuse what one writes that was frozen while another took over', async () => {
    const schema = freshSchema();
    const place = `${address()}#${schema}`;
    const [one, two] = await Promise.all([ready(place), ready(place)]);
    await one.ask(open);
    await one.ask(append(header('a'), step('one')));
    one.process.kill('SIGSTOP');
    expect(await opened(two)).toEqual({ ok: 2 });
    await two.ask(append(step('two')));
    one.process.kill('SIGCONT');
    expect(await one.ask(append(step('late')))).toEqual({ code: 'journal_fenced' });
    expect(await one.ask({ do: 'close' })).toEqual({ ok: 'closed' });
    expect(await two.ask(append(step('three')))).toEqual({ ok: 1 });
    const store = postgresStore(address(), { schema });
    expect(await store.read('a')).toEqual([header('a'), step('one'), step('two'), step('three')]);
    await store.close();
  });

  it('resume a run that was killed inside, before or after a step, and pay no finished step again', async () => {
    const program = await bundled('run-child');
    const run = async (args: readonly string[]): Promise<Record<string, unknown>> => {
      const child = start(program, args);
      const line = (await child.line()) ?? '{}';
      expect(await child.exit).toEqual({ code: 0, signal: null });
      const outcome: Record<string, unknown> = JSON.parse(line);
      return outcome['thrown'] === 'run_busy' ? run(args) : outcome;
    };
    const expected = await run([
      'thirty',
      `${address()}#${freshSchema()}`,
      join(newFolder(), 'log'),
    ]);
    expect(expected).toMatchObject({ status: 'approved' });
    for (const place of ['before', 'inside', 'after']) {
      const log = join(newFolder(), 'log');
      const store = `${address()}#${freshSchema()}`;
      const child = start(program, ['thirty', store, log, `critic-2-second ${place}`]);
      expect(await child.line()).toBe('reached');
      await child.kill();
      expect(await run(['thirty', store, log]), place).toEqual(expected);
      const lines = readFileSync(log, 'utf8').trim().split('\n');
      const done = lines.filter((line) => line.startsWith('done '));
      expect(done.length, place).toBe(30);
      expect(new Set(done).size, place).toBe(30);
      expect(lines.length, place).toBe(place === 'inside' ? 61 : 60);
    }
  });
});

describePostgres('a server that is stopped at once and started again', ({ programs }) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs);
  });
  afterAll(() => server.close());

  it('loses no run and no record, and no run fails', async () => {
    const store = postgresStore(server.address, { leaseMs: 2000 });
    const calls: string[] = [];
    let stops = 0;
    let restart: Promise<void> | undefined;
    const runs = 20;
    const every = runs * 2;
    const pipeline = paidPipeline(store, async (label) => {
      calls.push(label);
      if (calls.length % every !== 0) return;
      // in the middle of the runs, while statements are on their way
      stops += 1;
      restart = (restart ?? Promise.resolve())
        .then(() => server.crash())
        .then(() => server.start());
      await restart;
    });
    const outcomes = await Promise.all(
      Array.from({ length: runs }, (_, index) => toTheEnd(pipeline, `r${index}`)),
    );
    expect(stops).toBeGreaterThan(1);
    expect(outcomes.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array.from({ length: runs }, () => 'approved person_approved'),
    );
    expect(calls).toHaveLength(runs * paidCalls);
    const listed = await store.list();
    expect(listed.filter(({ status }) => status === 'approved')).toHaveLength(runs);
    await store.close();
  });
});

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
