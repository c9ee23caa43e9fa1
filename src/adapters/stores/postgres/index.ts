/**
 * A store in a PostgreSQL database, for processes on any number of machines. Node only.
 *
 * @module
 */

export type { PostgresClient } from './postgres-client.js';
export { type PostgresStore, postgresStore } from './postgres-store.js';
export type { SharedLimits } from './shared-limits.js';
