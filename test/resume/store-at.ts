import { fileStore } from '@/adapters/stores/file/index.js';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';

/** Opens the store of a child process: a folder, a file `*.db`, or `ADDRESS#SCHEMA` of PostgreSQL. */
export function storeAt(place: string, options: object = {}) {
  if (place.startsWith('postgres:')) {
    const [address = '', schema] = place.split('#');
    return postgresStore(address, { schema, leaseMs: 1000, ...options });
  }
  return place.endsWith('.db') ? sqliteStore(place, options) : fileStore(place, options);
}
