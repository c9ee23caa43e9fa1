import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import { storeErrors } from '../errors.js';
import type { PostgresRow, PostgresValue } from './postgres-client.js';

/** States after which the same statement may succeed: restarts, conflicts, replicas. */
const passing = new Set(['40001', '40P01', '57P01', '57P02', '57P03', '25006', '58000', '58030']);

/** Errors of sockets after which a new connection may succeed. */
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
]);

/** Drivers describe a lost connection in words only. */
const lost =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|encountered a connection error|not queryable|server closed the connection/i;

/** Five characters from the server, of the error or of its cause. */
export function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if (isReviewError(error)) return sqlStateOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The same statement may succeed when the database is back. */
export function isTransient(error: unknown): boolean {
  if (isReviewError(error)) return false;
  const code = sqlStateOf(error);
  if (code === undefined) return error instanceof Error && lost.test(error.message);
  // 08: the connection; 53: connections, memory or disk are used up
  return passing.has(code) || broken.has(code) || /^(?:08|53)...$/.test(code);
}

/** @param why - What the driver does not say. */
export function databaseFailure(name: string, error: unknown, why?: string): unknown {
  if (isReviewError(error)) return error;
  const what = `${name}: ${messageOf(error)}${why === undefined ? '' : `; ${why}`}`;
  return new ReviewLoopError(storeErrors.store_unavailable, what, { cause: error });
}

export function databaseBusy(name: string, ms: number, error: unknown): ReviewLoopError {
  return new ReviewLoopError(
    storeErrors.store_busy,
    `${name} did not answer for ${ms} ms: ${messageOf(error)}`,
    { cause: error, retryable: true },
  );
}

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
