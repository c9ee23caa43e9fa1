import { loadPeer, mayBeAbsent } from '../../../core/load-peer.js';
import { isCallable } from '../../../core/options.js';
import { checkedAddress } from './postgres-address.js';

export type PostgresRow = Readonly<Record<string, unknown>>;

export type PostgresValue = string | number | null;

/**
 * What a store needs of a driver: `Pool` of pg and `PGlite` fit as they are. Each statement may run
 * on another connection.
 */
export interface PostgresClient {
  /** Runs one statement in a transaction of its own and returns its rows. */
  readonly query: (
    text: string,
    values?: PostgresValue[],
  ) => Promise<{ readonly rows: readonly PostgresRow[] }>;
}

export interface OpenedClient extends PostgresClient {
  readonly end: () => Promise<void>;
}

export function isClient(value: unknown): value is PostgresClient {
  return isCallable(value, 'query');
}

/** Each is opened when it is needed. They do not keep the process alive. */
export async function openAddress(address: string, connections: number): Promise<OpenedClient> {
  const { connection } = checkedAddress(address);
  const { default: pg } = await loadPeer(
    {
      feature: 'a store in PostgreSQL',
      packages: ['pg'],
      otherwise: 'an own client: postgresStore({ query })',
    },
    () => import('pg').catch(mayBeAbsent),
  );
  const pool = new pg.Pool({
    connectionString: connection,
    max: connections,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'reviewloop',
  });
  // an idle connection breaks when the server restarts; the next statement opens another one
  pool.on('error', () => {});
  return { query: (text, values) => pool.query(text, values), end: () => pool.end() };
}
