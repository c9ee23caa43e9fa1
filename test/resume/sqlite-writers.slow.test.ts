import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { filledDatabase } from '../support/filled-database.js';
import { header, step } from '../unit/adapters/stores/file-support.js';
import { bundled, type Child, newFolder, start } from './children.js';
import { append, open, ready } from './store-children.js';

const program = await bundled('sqlite-child');
const damageProgram = await bundled('damage-child');

it('eight processes that write attempts into one new database at once lose nothing that was promised when one is killed with -9, and leave nothing half-written [P4-16, P4-17]', {
  timeout: 120_000,
}, async () => {
  const each = 25;
  const file = join(newFolder(), 'new', 'runs.db');
  const names = Array.from({ length: 7 }, (_, index) => `writer-${index}`);
  const writers = names.map((name) => start(program, [file, name, String(each)]));
  const victim = start(program, [file, 'victim', '100000']);
  for (const child of [...writers, victim]) expect(await child.line()).toBe('ready');
  for (const child of [...writers, victim]) child.send('go');
  let promised = -1;
  while (promised < 5)
    promised = (JSON.parse((await victim.line()) ?? '{"done":99}') as { done: number }).done;
  await victim.kill();
  for (const child of writers) expect(await child.exit).toMatchObject({ code: 0 });
  const store = sqliteStore(file);
  const ask = (sql: string): Promise<readonly object[]> => store.query(sql);
  expect(await ask('SELECT integrity_check FROM pragma_integrity_check')).toEqual([
    { integrity_check: 'ok' },
  ]);
  expect(
    await ask(
      "SELECT run_id, count(*) AS n FROM attempts WHERE run_id <> 'victim' GROUP BY run_id ORDER BY run_id",
    ),
  ).toEqual(names.map((name) => ({ run_id: name, n: each })));
  const [{ n: ofVictim }] = (await ask(
    "SELECT count(*) AS n FROM attempts WHERE run_id = 'victim'",
  )) as [{ n: number }];
  expect(ofVictim).toBeGreaterThan(promised);
  const numbered = (await ask(
    "SELECT attempt FROM attempts WHERE task_id = 'shared' ORDER BY attempt",
  )) as { attempt: number }[];
  expect(numbered.map(({ attempt }) => attempt)).toEqual(
    Array.from({ length: 7 * each + ofVictim }, (_, index) => index + 1),
  );
  const kept = await store.attempts.of('shared');
  for (const name of names)
    expect(kept.filter(({ runId }) => runId === name).map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: each }, (_, index) => index + 1),
    );
  expect(
    await ask(
      "SELECT count(*) AS n FROM attempts WHERE review_findings IS NULL OR review_findings NOT LIKE run_id || '%'",
    ),
  ).toEqual([{ n: 0 }]);
  // what is told of a record is there exactly where the record is
  expect(
    await ask(
      "SELECT count(*) AS n FROM records LEFT JOIN steps USING (run_id, n) WHERE type = 'step' AND steps.n IS NULL",
    ),
  ).toEqual([{ n: 0 }]);
  expect(
    await ask(
      'SELECT count(*) AS n FROM steps LEFT JOIN records USING (run_id, n) WHERE records.n IS NULL',
    ),
  ).toEqual([{ n: 0 }]);
  expect(
    await ask(
      'SELECT count(*) AS n FROM runs WHERE records <> (SELECT count(*) FROM records WHERE run_id = runs.run_id)',
    ),
  ).toEqual([{ n: 0 }]);
  const journal = await store.open('victim', true);
  expect(journal.records.length).toBeGreaterThan(2 * promised);
  await journal.close();
  expect((await store.list({ status: 'approved' })).map(({ runId }) => runId).sort()).toEqual(
    names,
  );
  await store.close();
});

/** Stops a process between two of its transactions: in the middle of one it would hold up everybody, until it goes on. */
async function freeze({ process: child }: Child, file: string): Promise<void> {
  const database = new Libsql(file);
  const state = (): string =>
    execFileSync('ps', ['-o', 'stat=', '-p', String(child.pid)], { encoding: 'utf8' });
  const isHeld = (): boolean => {
    try {
      database.exec('BEGIN IMMEDIATE');
      database.exec('ROLLBACK');
      return false;
    } catch {
      return true;
    }
  };
  for (;;) {
    child.kill('SIGSTOP');
    await expect.poll(state).toMatch(/^T/);
    if (!isHeld()) break;
    child.kill('SIGCONT');
    await expect.poll(isHeld).toBe(false);
  }
  database.close();
}

describe('two processes and one run in a database', () => {
  it('the second is refused while the first lives, and follows at once when it was killed', async () => {
    const file = join(newFolder(), 'runs.db');
    const first = await ready(file);
    const second = await ready(file);
    await first.ask(open);
    expect(await first.ask(append(header('a')))).toEqual({ ok: 1 });
    expect(await second.ask(open)).toEqual({ code: 'run_busy' });
    await first.kill();
    expect(await second.ask(open)).toEqual({ ok: 1 });
    await second.kill();
  });

  it('one that was frozen for too long is fenced: it writes nothing, and is told so', async () => {
    const file = join(newFolder(), 'runs.db');
    const options = { heartbeatMs: 20, patienceMs: 200 };
    const frozen = await ready(file, options);
    const next = await ready(file, options);
    await frozen.ask(open);
    await frozen.ask(append(header('a')));
    await freeze(frozen, file);
    for (;;) {
      const answer = await next.ask(open);
      if (JSON.stringify(answer) === '{"ok":1}') break;
      expect(answer).toEqual({ code: 'run_busy' });
    }
    frozen.process.kill('SIGCONT');
    expect(await frozen.ask(append(step('late', 1)))).toEqual({ code: 'journal_fenced' });
    expect(await next.ask(append(step('next', 1)))).toEqual({ ok: 1 });
    await next.ask({ do: 'close' });
    await Promise.all([frozen.kill(), next.kill()]);
    const store = sqliteStore(file);
    expect(
      (await store.read('a'))?.map((record) =>
        record.type === 'step' ? record.name : record.type,
      ),
    ).toEqual(['run', 'next']);
    await store.close();
  });
});

describe.skipIf(process.platform === 'win32')('a database that may not grow (ulimit -f)', () => {
  it('fails with a typed error, and keeps every record that was promised', async () => {
    const file = join(newFolder(), 'runs.db');
    const child = await ready(file, {}, 'ulimit -f 512; trap "" XFSZ; exec "$@"');
    await child.ask(open);
    await child.ask(append(header('a')));
    const answer = (await child.ask({ do: 'fill', bytes: 3000, most: 1000 })) as {
      ok: { done: number; code: string };
    };
    expect(answer.ok).toMatchObject({ code: 'journal_write_failed' });
    await child.kill();
    const store = sqliteStore(file);
    const journal = await store.open('a', true);
    expect(journal.records).toHaveLength(1 + answer.ok.done);
    await journal.append({ type: 'end', status: 'failed', code: 'x', at: 1 });
    await journal.close();
    expect(await store.list()).toEqual([{ runId: 'a', status: 'failed' }]);
    await store.close();
  });
});

it('a database with a cell that is cut, changed, or no UTF-8 names the run, reads all others, and ends no process, whatever the cell [R3-035]', async () => {
  const file = join(newFolder(), 'runs.db');
  const { store } = await filledDatabase(file);
  await store.close();
  const child = start(damageProgram, [file]);
  const { damaged, problems } = JSON.parse((await child.line()) ?? '{}') as {
    damaged: number;
    problems: string[];
  };
  expect(await child.exit).toEqual({ code: 0, signal: null });
  expect(damaged).toBeGreaterThan(100);
  expect(problems).toEqual([]);
});
