import Libsql from 'libsql';
import type { SqliteValue } from '@/adapters/stores/sqlite/driver.js';
import type { SqliteDriver } from '@/adapters/stores/sqlite/index.js';

/**
 * What `DatabaseSync` of node:sqlite does differently, over libsql: values one by one and never as a list, rows without a prototype,
 * results of `run` as its own, its errors with `errcode`, and no `pragma` or `transaction`. Node 20 has no node:sqlite to test with.
 */
export function nodeSqliteDouble(file: string): SqliteDriver {
  const database = typed(() => new Libsql(file));
  return {
    exec: (sql) => typed(() => void database.exec(sql)),
    prepare: (sql) => {
      const statement = typed(() => database.prepare(sql));
      const checked = (values: readonly unknown[]): SqliteValue[] =>
        values.map((value) => {
          if (value !== null && typeof value !== 'string' && typeof value !== 'number')
            throw new TypeError('Provided value cannot be bound to SQLite parameter');
          return value;
        });
      return {
        run: (...values) =>
          typed(() => ({ changes: statement.run(checked(values)).changes, lastInsertRowid: 0 })),
        all: (...values) =>
          typed(() =>
            statement
              .all(checked(values))
              .map((row) => Object.assign(Object.create(null) as object, row)),
          ),
      };
    },
    close: () => void database.close(),
  };
}

const codes: Readonly<Record<string, number>> = {
  SQLITE_BUSY: 5,
  SQLITE_READONLY: 8,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_NOTADB: 26,
};

function typed<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('rawCode' in error)) throw error;
    const code = String(Reflect.get(error, 'code'));
    throw Object.assign(new Error(error.message), {
      code: 'ERR_SQLITE_ERROR',
      errcode: Number(error.rawCode) || (codes[code] ?? 1),
    });
  }
}
