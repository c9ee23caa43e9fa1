// The store in SQLite over node:sqlite, for nothing else is installed: the contracts of its ports, a run that is read back, and an old database.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePipeline } from 'reviewloop';
import { sqliteStore } from 'reviewloop/stores/sqlite';
import { storeContract } from 'reviewloop/testing';

const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite');
const folder = mkdtempSync(join(tmpdir(), 'node-sqlite-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newFile = () => {
  count += 1;
  return join(folder, `${count}.db`);
};
const expectEqual = (got, expected, what) => {
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
};

/** By a file, which finds its driver by itself, and by an open connection. */
const places = { file: (file) => file, connection: (file) => new DatabaseSync(file) };
let passed = 0;
for (const [place, open] of Object.entries(places)) {
  const at = (name) => sqliteStore(open(name));
  const cases = storeContract({
    place: newFile,
    runs: at,
    attempts: (name) => at(name).attempts,
    verdicts: (name) => at(name).verdicts,
    lessons: (name) => at(name).lessons,
  });
  for (const { name, run } of cases) {
    await run().catch((error) => {
      throw new Error(`${place}: ${name}`, { cause: error });
    });
    passed += 1;
  }
}

const file = newFile();
const store = sqliteStore(file);
const pipeline = definePipeline({
  store,
  produce: async () => '# tea',
  criteria: { title: (text) => text.startsWith('# ') },
});
expectEqual((await pipeline.run('tea', { runId: 'one' })).status, 'approved', 'the run');
expectEqual(
  await store.query('SELECT run_id, status FROM runs WHERE run_id = ?', 'one'),
  [{ run_id: 'one', status: 'approved' }],
  'the table',
);
await store.close();
expectEqual(
  (await pipeline.run('tea', { runId: 'one' })).status,
  'approved',
  'the run that is recorded',
);

const old = newFile();
const made = new DatabaseSync(old);
made.exec(
  "CREATE TABLE attempts (task_id TEXT NOT NULL, attempt INTEGER NOT NULL, status TEXT, error TEXT); INSERT INTO attempts VALUES ('TASK-001', 1, 'failed', 'no tests')",
);
made.close();
for (let time = 0; time < 2; time += 1) {
  const migrated = sqliteStore(old);
  expectEqual(
    (await migrated.attempts.of('TASK-001')).map(({ status, error, reviewStatus }) => [
      status,
      error,
      reviewStatus,
    ]),
    [['failed', 'no tests', null]],
    'the attempts of the old database',
  );
  expectEqual(
    (
      await migrated.query(
        "SELECT count(*) AS n FROM pragma_table_info('attempts') WHERE name IN ('review_status', 'review_findings')",
      )
    )[0].n,
    2,
    'the new columns',
  );
  await migrated.close();
}
console.log(
  `node:sqlite on ${process.version}: ${passed} cases of contracts, a run, an old database twice`,
);
