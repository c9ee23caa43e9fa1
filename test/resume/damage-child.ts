// Damages each cell of a database in turn, asks the store for everything, and prints what did not end as it must.
import { copyFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import Libsql from 'libsql';
import * as z from 'zod';
import { isReviewError } from '../../src/core/errors.js';
import { sqliteStore } from '../../src/stores/sqlite/index.js';

const [, , whole = ''] = process.argv;
let file = whole;

const Named = z.array(z.object({ name: z.string() }));
const namesOf = (sql: string): string[] => {
  const database = new Libsql(whole);
  const names = Named.parse(database.prepare(sql).all());
  database.close();
  return names.map(({ name }) => name);
};

const runIds = namesOf('SELECT run_id AS name FROM runs');
const verdictKeys = namesOf('SELECT key AS name FROM verdicts');

/** A text with other bytes: cut, with one that is flipped, and with one that is in no UTF-8. */
const damages: Readonly<Record<string, (column: string) => string>> = {
  cut: (column) => `substr(${column}, 1, length(${column}) / 2)`,
  flipped: (column) =>
    `substr(${column}, 1, length(${column}) / 2) || char(unicode(substr(${column}, length(${column}) / 2 + 1, 1)) + 1) || substr(${column}, length(${column}) / 2 + 2)`,
  'not UTF-8': (column) =>
    `CAST(CAST(substr(${column}, 1, length(${column}) / 2) AS BLOB) || x'ff' || CAST(substr(${column}, length(${column}) / 2 + 2) AS BLOB) AS TEXT)`,
};

/** What every reader of the store says: a value, or the code of an error. */
async function answers(): Promise<Record<string, unknown>> {
  const store = sqliteStore(file);
  const told: Record<string, unknown> = {};
  const ask = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    told[name] = await call().catch((error: unknown) =>
      isReviewError(error) ? { code: error.code } : { unnamed: String(error) },
    );
  };
  for (const runId of runIds) {
    await ask(`read ${runId}`, () => store.read(runId));
    await ask(`open ${runId}`, async () => {
      const journal = await store.open(runId, true);
      await journal.close();
      return journal.records;
    });
  }
  for (const key of verdictKeys) await ask(`verdict ${key}`, () => store.verdicts.get(key));
  await ask('list', () => store.list());
  await ask('page', () => store.list({ limit: 100 }));
  await ask('waiting', async () => store.waiting?.({ limit: 100 }));
  await ask('orphans', async () => store.orphans?.({ limit: 100 }));
  await ask('lessons', () => store.lessons.lessons());
  await ask('attempts', () => store.attempts.of('TASK-001'));
  await ask('audit', () => store.verifyAudit());
  await ask('query', () => store.query('SELECT * FROM runs, records, steps, attempts LIMIT 5'));
  await store.close();
  return told;
}

let copies = 0;
const damage = (sql: string): number => {
  // a driver may write the log of a closed file later, so each copy has its own name
  copies += 1;
  file = `${whole}.${copies}`;
  copyFileSync(whole, file);
  const database = new Libsql(file);
  const { changes } = database.prepare(sql).run();
  database.close();
  return changes;
};

damage('DELETE FROM runs WHERE 0');
const before = await answers();
const problems: string[] = [];
let damaged = 0;
for (const table of namesOf("SELECT name FROM sqlite_schema WHERE type = 'table'"))
  for (const column of namesOf(`SELECT name FROM pragma_table_info('${table}')`))
    for (const [how, damagedText] of Object.entries(damages)) {
      const one = `SELECT rowid FROM ${table} WHERE typeof(${column}) = 'text' AND length(${column}) > 1 ORDER BY rowid DESC LIMIT 1`;
      const changes = damage(
        `UPDATE OR IGNORE ${table} SET ${column} = ${damagedText(column)} WHERE rowid = (${one})`,
      );
      if (changes === 0) continue;
      damaged += 1;
      const after = await answers();
      const other: string[] = [];
      for (const [name, value] of Object.entries(after)) {
        if (isDeepStrictEqual(value, before[name])) continue;
        if (name.startsWith('read')) other.push(name);
        const code = z.object({ code: z.string() }).safeParse(value).data?.code;
        const isNamed = code !== undefined && !('unnamed' in Object(value));
        // lists and logs show what they read; a run is read whole, or refused by name
        if (/^(?:read|open|verdict|lessons)/.test(name) && !isNamed && value !== undefined)
          problems.push(`${table}.${column} ${how}: ${name} says ${JSON.stringify(value)}`);
        if ('unnamed' in Object(value))
          problems.push(`${table}.${column} ${how}: ${name} fails with ${JSON.stringify(value)}`);
        if (['list', 'page', 'waiting', 'orphans'].includes(name) && isNamed)
          problems.push(`${table}.${column} ${how}: ${name} stops with ${code}`);
      }
      if (other.length > 1) problems.push(`${table}.${column} ${how}: ${other.join()} are lost`);
    }
console.log(JSON.stringify({ damaged, problems }));
