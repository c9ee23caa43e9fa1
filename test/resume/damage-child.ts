// Damages each cell of a database in turn, asks the store for everything, and prints what did not end as it must.
import { copyFileSync } from 'node:fs';
import Libsql from 'libsql';
import * as z from 'zod';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { answersOf, problemsAfter } from '../support/damaged-cells.js';

const [, , whole = ''] = process.argv;
let file = whole;

const Named = z.array(z.object({ name: z.string() }));
const namesOf = (sql: string): string[] => {
  const database = new Libsql(whole);
  const names = Named.parse(database.prepare(sql).all());
  database.close();
  return names.map(({ name }) => name);
};

const known = {
  runIds: namesOf('SELECT run_id AS name FROM runs'),
  verdictKeys: namesOf('SELECT key AS name FROM verdicts'),
  query: 'SELECT * FROM runs, records, steps, attempts LIMIT 5',
};

/** A text with other bytes: cut, with one that is flipped, and with one that is in no UTF-8. */
const damages: Readonly<Record<string, (column: string) => string>> = {
  cut: (column) => `substr(${column}, 1, length(${column}) / 2)`,
  flipped: (column) =>
    `substr(${column}, 1, length(${column}) / 2) || char(unicode(substr(${column}, length(${column}) / 2 + 1, 1)) + 1) || substr(${column}, length(${column}) / 2 + 2)`,
  'not UTF-8': (column) =>
    `CAST(CAST(substr(${column}, 1, length(${column}) / 2) AS BLOB) || x'ff' || CAST(substr(${column}, length(${column}) / 2 + 2) AS BLOB) AS TEXT)`,
};

async function answers() {
  const store = sqliteStore(file);
  const told = await answersOf(store, known);
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
      const found = problemsAfter(before, await answers());
      problems.push(...found.map((one) => `${table}.${column} ${how}: ${one}`));
    }
console.log(JSON.stringify({ damaged, problems }));
