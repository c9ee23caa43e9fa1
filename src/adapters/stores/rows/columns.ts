import { plainText, shownText, type TableRow, type TableValue } from './table-database.js';

/** The types in SQLite and in PostgreSQL. Run ids are compared by their bytes. */
const types = {
  id: ['TEXT', 'text COLLATE "C"'],
  text: ['TEXT', 'text'],
  whole: ['INTEGER', 'int'],
  place: ['INTEGER', 'bigint'],
  figure: ['INTEGER', 'float8'],
  real: ['REAL', 'float8'],
} as const;

interface Column<Given> {
  readonly type: keyof typeof types;
  readonly isOptional: boolean;
  readonly of: (given: Given) => TableValue;
}

type Maker<Value> = <Given>(of: (given: Given) => Value) => Column<Given>;

interface Makers<None> {
  readonly id: Maker<string | None>;
  readonly text: Maker<string | None>;
  /** A text that is UTF-8 already. */
  readonly exact: Maker<string | None>;
  /** A text of a model, without what controls a terminal. */
  readonly shown: Maker<string | None>;
  readonly flag: Maker<boolean | None>;
  readonly whole: Maker<number | None>;
  readonly place: Maker<number | None>;
  /** A number that PostgreSQL may give a fraction: times and tokens. */
  readonly figure: Maker<number | None>;
  readonly real: Maker<number | None>;
}

type Nothing = null | undefined;

function makers(isOptional: boolean): Makers<Nothing> {
  const made =
    <Value>(type: keyof typeof types, to: (value: Value) => TableValue): Maker<Value | Nothing> =>
    (of) => ({
      type,
      isOptional,
      of: (given) => {
        const value = of(given);
        return value === null || value === undefined ? null : to(value);
      },
    });
  const same = <Value>(value: Value): Value => value;
  return {
    ...{ id: made('id', plainText), text: made('text', plainText), exact: made('text', same) },
    shown: made('text', shownText),
    ...{ flag: made('whole', Number), whole: made('whole', same), place: made('place', same) },
    ...{ figure: made('figure', same), real: made('real', same) },
  };
}

/** NULL means unknown. */
export const optional = makers(true);

export const required: Makers<never> = makers(false);

/** A table of both databases: each column once, with its type and its value. */
export interface Table<Given> {
  readonly name: string;
  readonly key: string;
  readonly columns: Readonly<Record<string, Column<Given>>>;
  readonly row: (given: Given) => TableRow;
}

/** @param key - The columns of the primary key; '' for a table that has its key from elsewhere. */
export function table<Given>(
  name: string,
  key: string,
  columns: Table<Given>['columns'],
): Table<Given> {
  const parts = Object.entries(columns);
  return {
    ...{ name, key, columns },
    row: (given) => Object.fromEntries(parts.map(([part, { of }]) => [part, of(given)])),
  };
}

/** Returns the statement that creates a table, with more parts than both databases have in common. */
export function creation(
  { name, key, columns }: Table<never>,
  schema?: string,
  ...more: readonly string[]
): string {
  const parts = Object.entries(columns).map(
    ([part, { type, isOptional }]) =>
      `${part} ${types[type][schema === undefined ? 0 : 1]}${isOptional ? '' : ' NOT NULL'}`,
  );
  const start = schema === undefined ? `IF NOT EXISTS ${name}` : `${schema}.${name}`;
  const all = [...parts, ...more, ...(key === '' ? [] : [`PRIMARY KEY (${key})`])];
  return `CREATE TABLE ${start} (${all.join(', ')});\n`;
}

export function replacing(
  { key, columns }: Table<never>,
  other: Readonly<Record<string, string>> = {},
): string {
  const names = Object.keys(columns).filter((name) => !key.split(', ').includes(name));
  const changes = names.map((name) => `${name} = ${other[name] ?? `excluded.${name}`}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`;
}

export function cast({ type }: Column<never>, value: number): string {
  return `$${value}::${type === 'id' ? 'text' : types[type][1]}`;
}
