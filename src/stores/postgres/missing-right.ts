import type { PostgresRow, PostgresValue } from './postgres-client.js';

type Query = (sql: string, values: PostgresValue[]) => Promise<readonly PostgresRow[]>;

/** A right is missing; and: this transaction may only read. */
const denied = '42501';
const readOnly = '25006';

/**
 * Returns which right a role lacks, if that is why the database refused a statement; else
 * `undefined`.
 *
 * @param state - The state of the error, five characters.
 * @param schema - The quoted name of the schema.
 */
export async function missingRight(
  state: string | undefined,
  schema: string,
  query: Query,
): Promise<string | undefined> {
  if (state !== denied && state !== readOnly) return undefined;
  try {
    return await (state === denied ? lackedBy(schema, query) : readOnlyBy(query));
  } catch {
    // the error of the statement is the one to report
    return undefined;
  }
}

async function lackedBy(schema: string, query: Query): Promise<string | undefined> {
  const rows = await query(
    `WITH place AS (SELECT to_regnamespace($1::text) AS id),
     tables AS (SELECT c.oid, c.relname FROM pg_class c JOIN place ON c.relnamespace = place.id
       WHERE c.relkind = 'r' AND c.relname <> 'reviewloop_version'),
     lacked AS (
       SELECT relname::text AS thing, name FROM tables, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) name
         WHERE NOT has_table_privilege(oid, name)
       UNION ALL SELECT 'the schema', 'USAGE' FROM place
         WHERE id IS NOT NULL AND NOT has_schema_privilege(id, 'USAGE')
       UNION ALL SELECT 'the database', 'CREATE' FROM place
         WHERE id IS NULL AND NOT has_database_privilege(current_database(), 'CREATE')
     ),
     things AS (SELECT thing, string_agg(name, ', ' ORDER BY name) AS rights FROM lacked GROUP BY thing)
     SELECT current_user::text AS role, rights, CASE WHEN count(*) = (SELECT count(*) FROM tables)
       THEN 'all tables' ELSE string_agg(thing, ', ' ORDER BY thing) END AS things
     FROM things GROUP BY rights ORDER BY rights`,
    [schema],
  );
  const lacks = rows.map(({ rights, things }) => `${String(rights)} on ${String(things)}`);
  return lacks.length === 0 ? undefined : `the role ${roleIn(rows)} lacks ${lacks.join('; ')}`;
}

/** A replica only reads for now, whatever rights the role has. */
async function readOnlyBy(query: Query): Promise<string | undefined> {
  const rows = await query(
    `SELECT current_user::text AS role FROM pg_settings
     WHERE name = 'default_transaction_read_only' AND NOT pg_is_in_recovery()
       AND source IN ('user', 'database user', 'database', 'client')`,
    [],
  );
  return rows.length === 0
    ? undefined
    : `the role ${roleIn(rows)} may only read here: default_transaction_read_only is on, ` +
        'and INSERT, UPDATE and DELETE need it off';
}

function roleIn([row]: readonly PostgresRow[]): string {
  return String(row?.['role']);
}
