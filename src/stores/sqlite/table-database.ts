import type { Clock } from '../../ports/clock.js';
import type { TableDatabase, TableValue } from '../rows/table-database.js';
import type { Database } from './database.js';

/** Returns a database as what both kinds have in common is asked through. */
export function tableDatabase(database: Database, clock: Clock): TableDatabase {
  return {
    name: database.name,
    schema: 'main',
    clock,
    ask: (sql, values = []) => {
      const statement = inSqlite(sql, values);
      return database.read((tables) => tables.all(statement.sql, ...statement.values));
    },
    change: (sql, values = []) => {
      const statement = inSqlite(sql, values);
      return database.write((tables) => tables.run(statement.sql, ...statement.values));
    },
  };
}

/** Returns a statement for PostgreSQL as SQLite takes it: its values in their order, without types. */
function inSqlite(
  sql: string,
  values: readonly TableValue[],
): { readonly sql: string; readonly values: readonly TableValue[] } {
  const given: TableValue[] = [];
  const text = sql.replace(/\$(\d+)(?:::\w+)?/g, (_, number: string) => {
    given.push(values[Number(number) - 1] ?? null);
    return '?';
  });
  return { sql: text, values: given };
}
