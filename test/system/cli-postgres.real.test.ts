import { existsSync } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { fileVerdicts } from '@/adapters/stores/file/index.js';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { type StoredVerdict, verdictKey } from '@/ports/verdict-store.js';
import { ending, failing, words } from '../support/matchers.js';
import { describePostgres, type RealPostgres } from '../support/postgres.js';
import { runsOfCode } from '../support/waiting-runs.js';
import { passed } from '../unit/engine/support.js';
import { folderOf, goodPage } from '../unit/faces/cli/harness.js';
import { type Exit, run } from './cli-harness.js';

vi.setConfig({ testTimeout: 180_000 });

const planted = 'geheim-4711';
let databases = 0;

async function newDatabase({ address }: RealPostgres): Promise<string> {
  databases += 1;
  const name = `cli_${process.pid}_${databases}`;
  const client = new pg.Client({ connectionString: address() });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(address());
  url.pathname = `/${name}`;
  url.password = planted;
  return url.href;
}

const withDatabase =
  (address: string) =>
  (cwd: string, args: readonly string[]): Promise<Exit> =>
    run(cwd, [...args, '--store', 'env:REVIEWS_DB'], {
      env: { ...process.env, REVIEWS_DB: address },
    });

const asking = "export default { human: { policy: 'require' }, criteria: ['html'] };";
const review = ['review', 'a.html', '--task-text', 'Sign in', '--no-requirements', '-q'];

async function newestRun(exit: Promise<Exit>): Promise<string> {
  const { runs } = JSON.parse((await exit).out) as { runs: { runId: string }[] };
  return runs[0]?.runId ?? '';
}

describePostgres('the command line over a database', (postgres) => {
  test('a run of one machine is answered on another one, and goes on where its files are', async () => {
    const cli = withDatabase(await newDatabase(postgres));
    const a = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': asking });
    const b = await folderOf();
    expect((await cli(a, review)).code).toBe(53);
    const id = await newestRun(cli(b, ['runs', '--json']));
    // what the other machine has is not on this one
    await rename(a, `${a}-away`);
    const answered = await cli(b, ['answer', id, 'approve', '--by', 'Ada']);
    expect(answered).toMatchObject(
      ending(
        53,
        /^recorded: approve by Ada\nrun \S+ does not go on here: its configuration \S+ is not on this machine\nnext, on a machine that has it: reviewloop resume \S+ --store env:REVIEWS_DB\n$/,
      ),
    );
    expect(await cli(b, ['answer', id, 'reject', '--by', 'Ben'])).toMatchObject(
      failing(2, '[request_answered]'),
    );
    expect(await cli(b, ['resume', id])).toMatchObject(failing(2, 'cannot go on here'));
    await rename(`${a}-away`, a);
    expect(await cli(a, ['resume', id, '-q'])).toMatchObject(ending(0, /\nAPPROVED BY Ada\n/));
    const shown = await cli(b, ['show', id]);
    expect(shown.out).toMatch(/\nAPPROVED BY Ada\n/);
    expect((await cli(b, ['audit', 'verify'])).out).toMatch(/^INTACT: 1 record in PostgreSQL at/);
    expect((await cli(b, ['history'])).out).toContain(id.slice(0, 13));
    expect((await cli(b, ['runs', '--orphans'])).out).toMatch(/^no run without a process in Post/);
    // nothing is stored beside the database
    expect([await readdir(b), existsSync(join(a, '.reviewloop'))]).toEqual([[], false]);
  });

  test('runs of a pipeline of code are listed, shown with their reviews, and counted by `store prune`', async () => {
    const address = await newDatabase(postgres);
    const cli = withDatabase(address);
    const cwd = await folderOf({ 'a.html': goodPage });
    const store = postgresStore(address);
    await runsOfCode(store);
    await store.close();
    await cli(cwd, [...review, '--criteria', 'html']);
    const { out } = await cli(cwd, ['runs']);
    expect(out).toMatch(/^Ticket-20 +\d{4}-\d\d-\d\d .* approved +- +pipeline `replies`/m);
    expect(out).toMatch(/^ticket-17 .* suspended +- +pipeline `replies`/m);
    expect(out.trim().split('\n')).toHaveLength(4);
    for (const command of ['runs', 'show'])
      expect((await cli(cwd, [command, 'Ticket-20'])).out).toMatch(
        /^Ticket-20: approved\npipeline +replies\n[\s\S]*^review 1 +score 1\.00 \(1 of 1 judged\), 0 gaps, approve: /m,
      );
    for (const args of [
      ['answer', 'ticket-17', 'approve'],
      ['resume', 'ticket-17'],
    ])
      expect(await cli(cwd, args)).toMatchObject(
        failing(2, /belongs to pipeline `replies`.*\[run_elsewhere\]/),
      );
    expect((await cli(cwd, ['store', 'prune', '--older-than', '0m'])).out).toBe(
      'removed 2 runs and 0 verdicts\n  replies: 1 run\n  review: 1 run\n',
    );
  });

  test('a store in SQLite is copied with its rows about reviews and gaps', async () => {
    const cwd = await folderOf({ 'a.html': '<p id="a"></p><p id="a"></p>' });
    await run(cwd, [...review, '--criteria', 'html', '--store', 'sqlite:reviews.db']);
    const address = await newDatabase(postgres);
    const copied = await run(cwd, ['store', 'copy', 'sqlite:reviews.db', address]);
    expect(copied).toMatchObject(ending(0, 'runs: 1 copied\n'));
    const sql = (schema: string): string =>
      ['reviews', 'assessments', 'gaps']
        .map((table) => `SELECT '${table}' AS name, count(*) AS n FROM ${schema}${table}`)
        .join(' UNION ALL ');
    const [from, to] = [sqliteStore(join(cwd, 'reviews.db')), postgresStore(address)];
    const before = await from.query(sql(''));
    expect(before).toContainEqual({ name: 'reviews', n: 1 });
    expect(before).not.toContainEqual({ name: 'gaps', n: 0 });
    expect(await to.query(sql('reviewloop.'))).toEqual(before);
    const gaps = 'gaps ORDER BY iteration, n';
    expect(await to.query(`SELECT * FROM reviewloop.${gaps}`)).toEqual(
      await from.query(`SELECT * FROM ${gaps}`),
    );
    await Promise.all([from.close(), to.close()]);
  });

  test('a store of files is copied once, with its runs, reports, verdicts and audit log', async () => {
    const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': asking });
    await run(cwd, review);
    await run(cwd, review);
    const first = await newestRun(run(cwd, ['runs', '--json']));
    expect((await run(cwd, ['answer', first, 'approve', '--by', 'Ada', '-q'])).code).toBe(0);
    const about = { reviewer: 'tone', version: '1', task: 'task', view: 'view' };
    const assessments = [passed('tone')];
    const verdict = { schema: 1, about, assessments, usage: {}, at: 1 } as StoredVerdict;
    const cache = join(cwd, '.reviewloop/cache/verdicts');
    await fileVerdicts(cache).put(verdictKey(about), verdict);
    const address = await newDatabase(postgres);
    const copy = (to = address): Promise<Exit> =>
      run(cwd, ['store', 'copy', 'file:.reviewloop', to]);
    expect(await copy()).toMatchObject(
      ending(
        0,
        /^from \.reviewloop to PostgreSQL at [\w.:/]+, schema reviewloop:\n {2}runs: 2 copied\n {2}reports and requests: [1-9]\d* copied\n {2}verdicts: 1 copied\n[\s\S]* {2}records of the audit log: 1 copied\nnext: reviewloop runs --store postgres:\/\/postgres@/,
      ),
    );
    expect((await copy()).out).toMatch(/runs: 0 copied, 2 there before\n/);
    const there = withDatabase(address);
    const here = await run(cwd, ['audit', 'verify']);
    const moved = await there(cwd, ['audit', 'verify']);
    expect(moved.out.split('\n')[1]).toBe(here.out.split('\n')[1]);
    const { runs } = JSON.parse((await there(cwd, ['runs', '--json'])).out) as {
      runs: { runId: string; status: string }[];
    };
    const waiting = runs.find(({ status }) => status === 'suspended')?.runId ?? '';
    expect((await there(cwd, ['answer', waiting, 'approve', '--by', 'Ben', '-q'])).code).toBe(0);
    // what went on in the database stays as it is there
    expect(await copy()).toMatchObject(ending(0, 'runs: 0 copied, 2 there before'));
    expect((await there(cwd, ['show', waiting])).out).toMatch(/\nAPPROVED/);
    // two logs cannot become one
    const otherAddress = await newDatabase(postgres);
    const cli = withDatabase(otherAddress);
    await cli(cwd, review);
    const other = await newestRun(cli(cwd, ['runs', '--json']));
    await cli(cwd, ['answer', other, 'approve', '--by', 'Cem', '-q']);
    expect(await copy(otherAddress)).toMatchObject(failing(2, '[store_differs]'));
  });

  test('a password is in no output and in no file, whatever the command', async () => {
    const address = await newDatabase(postgres);
    const cwd = await folderOf({ 'a.html': goodPage, 'reviewloop.config.mjs': asking });
    const said: string[] = [];
    const tell = async (args: readonly string[], store: string): Promise<Exit> => {
      const exit = await run(cwd, [...args, '--store', store]);
      said.push(exit.out, exit.err);
      return exit;
    };
    expect((await tell(review, address)).code).toBe(53);
    const id = await newestRun(tell(['runs', '--json'], address));
    for (const line of [
      ...[
        'runs',
        `runs ${id}`,
        `show ${id} --json`,
        `runs ${id} --summary`,
        'history',
        'runs --metrics',
      ],
      ...[`diff ${id}`, `report ${id} --html report.html --markdown report.md`],
      ...[`answer ${id} approve --by Ada`, `override ${id} --reason x`, 'audit verify'],
      ...['lessons drafts', 'demo -q', 'store migrate', 'store prune --older-than 1d'],
    ])
      await tell(words(line), address);
    for (const wrong of [
      address.replace('//', '/'),
      address.replace('postgres:', 'postgress:'),
      address.replace(planted, `a/${planted}`),
      address.replace(planted, `1/${planted}`),
      address.replace(/:\d+\//, ':1/'),
      `${address}?sslmode=no-verify`,
    ]) {
      const exit = await tell(['runs'], wrong);
      expect([1, 2]).toContain(exit.code);
    }
    for (const name of await readdir(cwd, { recursive: true }))
      said.push(await readFile(join(cwd, name), 'utf8').catch(() => ''));
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    const { rows } = await client.query(
      'SELECT body FROM reviewloop.reports UNION ALL SELECT body FROM reviewloop.records',
    );
    await client.end();
    said.push(JSON.stringify(rows));
    expect(rows.length).toBeGreaterThan(5);
    expect(said.filter((text) => text.includes(planted))).toEqual([]);
  });
});

test('without the package pg, a command stops before any work and says so', async () => {
  const hook = `export async function resolve(name, context, next) {
    if (name !== 'pg') return next(name, context);
    throw Object.assign(new Error('Cannot find package pg'), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  const cwd = await folderOf({
    'a.html': goodPage,
    'without-pg.mjs': `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));`,
  });
  const exit = await run(cwd, [...review, '--store', 'postgres://127.0.0.1:1/none'], {
    env: { ...process.env, NODE_OPTIONS: `--import ${join(cwd, 'without-pg.mjs')}` },
  });
  expect([exit.code, exit.out, exit.err]).toEqual([
    2,
    '',
    expect.stringMatching(/needs the package pg \(npm install pg\).*\[peer_missing\]/),
  ]);
});
