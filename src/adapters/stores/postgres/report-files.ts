import { mutex } from '../../../core/mutex.js';
import { isMissing } from '../../../node/durable.js';
import type { StoreFiles } from '../../../node/store-file.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The start of a body that is a JSON text: columns take neither NUL nor lone surrogates. */
const escaped = 'json:';

export interface ReportFiles extends StoreFiles {
  /** Waits until all that was appended is written. */
  readonly settle: () => Promise<void>;
}

/**
 * What the command line stores beside the runs, such as their reports and requests. `runs/ID/NAME`
 * is the row of a run; other paths have no run.
 */
export function reportFiles(database: PostgresDatabase): ReportFiles {
  const rows = rowFiles(database);
  const inTurn = mutex();
  return {
    ...rows,
    append: (path, text) => {
      inTurn(async () => {
        const before = await rows.read(path).catch((error: unknown) => {
          if (isMissing(error)) return '';
          throw error;
        });
        await rows.write(path, `${before}${text}`);
      }).catch(() => {});
    },
    settle: () => inTurn(async () => {}),
  };
}

function rowFiles(database: PostgresDatabase): Omit<StoreFiles, 'append'> {
  const table = `${database.schema}.reports`;
  const at = (path: string): string => `${path} in ${database.name}`;
  return {
    name: database.name,
    at,
    shown: () => database.name,
    // its tables were created when it was opened
    prepare: async () => {},
    read: async (path) => {
      const [row] = await database.ask(
        `SELECT body FROM ${table} WHERE run_id = $1 AND name = $2`,
        rowOf(path),
      );
      if (row !== undefined) return textIn(String(row['body']));
      throw Object.assign(new Error(`ENOENT: no such file or directory, open '${at(path)}'`), {
        code: 'ENOENT',
      });
    },
    readEach: (name) => textsOf(database, table, name),
    write: async (path, text) => {
      await database.ask(
        `INSERT INTO ${table} (run_id, name, body) VALUES ($1, $2, $3)
         ON CONFLICT (run_id, name)
         DO UPDATE SET body = excluded.body, written_at = clock_timestamp()`,
        [...rowOf(path), bodyOf(text)],
      );
    },
    list: (folder) => entriesIn(database, table, folder),
    remove: async (path) => {
      const [runId, name] = rowOf(path);
      await database.ask(
        `DELETE FROM ${table}
         WHERE run_id = $1 AND ($2::text = '' OR name = $2 OR starts_with(name, $2::text || '/'))`,
        [runId, name],
      );
    },
    changedAt: async (path) => {
      const [row] = await database.ask(
        `SELECT (extract(epoch FROM written_at) * 1000)::float8 AS at
         FROM ${table} WHERE run_id = $1 AND name = $2`,
        rowOf(path),
      );
      return row === undefined ? undefined : Number(row['at']);
    },
    isHeld: async (runId) => {
      const rows = await database.ask(
        `SELECT 1 FROM ${database.schema}.runs r JOIN ${database.schema}.workers w ON w.id = r.holder
         WHERE r.run_id = $1 AND w.lease_until >= clock_timestamp()`,
        [runId],
      );
      return rows.length > 0;
    },
  };
}

const page = 200;

async function textsOf(
  database: PostgresDatabase,
  table: string,
  name: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let after = '';
  for (;;) {
    const rows = await database.ask(
      `SELECT run_id, body FROM ${table} WHERE name = $1 AND run_id > $2
       ORDER BY run_id LIMIT ${page}`,
      [name, after],
    );
    for (const row of rows) found.set(String(row['run_id']), textIn(String(row['body'])));
    const last = rows.at(-1);
    if (rows.length < page || last === undefined) return found;
    after = String(last['run_id']);
  }
}

async function entriesIn(
  database: PostgresDatabase,
  table: string,
  folder: string,
): Promise<string[]> {
  if (folder === 'runs') {
    const rows = await database.ask(
      `SELECT DISTINCT run_id FROM ${table} WHERE run_id <> '' ORDER BY run_id`,
    );
    return rows.map((row) => String(row['run_id']));
  }
  const [runId, name] = rowOf(folder);
  const start = name === '' ? '' : `${name}/`;
  const rows = await database.ask(
    `SELECT DISTINCT split_part(substr(name, length($2::text) + 1), '/', 1) AS entry
       FROM ${table} WHERE run_id = $1 AND starts_with(name, $2::text) ORDER BY entry`,
    [runId, start],
  );
  return rows.map((row) => String(row['entry']));
}

/** A run and a name, or no run and a path. */
function rowOf(path: string): [runId: string, name: string] {
  const slashed = path.replaceAll('\\', '/');
  const [, runId, name = ''] = /^runs\/([^/]+)(?:\/(.*))?$/s.exec(slashed) ?? [];
  return runId === undefined ? ['', slashed] : [runId, name];
}

function bodyOf(text: string): string {
  const isPlain = !/[\0\p{Cs}]/u.test(text) && !text.startsWith(escaped);
  return isPlain ? text : `${escaped}${JSON.stringify(text)}`;
}

function textIn(body: string): string {
  return body.startsWith(escaped) ? String(JSON.parse(body.slice(escaped.length))) : body;
}
