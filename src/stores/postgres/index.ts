/**
 * A store in a PostgreSQL database, for processes on any number of machines. Node only.
 *
 * @module
 */
export type { SharedRateLimitOptions } from '../limits/rate-pace.js';
export type { SharedLimiterOptions } from '../limits/slot-limiter.js';
export type { SharedSpendingLimitOptions } from '../limits/stored-spending-limit.js';
export type { PostgresClient, PostgresRow, PostgresValue } from './postgres-client.js';
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres-store.js';
export type { SharedLimits } from './shared-limits.js';
export type { TableStores } from './table-stores.js';
