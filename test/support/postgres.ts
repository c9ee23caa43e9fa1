import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { PostgresClient } from '@/adapters/stores/postgres/postgres-client.js';
import { afterFile } from './after-file.js';
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.js';

/** A real PostgreSQL server, as a test uses it. */
export interface RealPostgres {
  /** The address of the database; known when a test runs. */
  readonly address: () => string;
  /** The folder of the server's programs. */
  readonly programs: string;
  /** Returns the name of a schema that no other test uses. */
  readonly freshSchema: () => string;
  /** Returns connections to the database, which close after the suite. */
  readonly pool: () => pg.Pool;
}

const programs = findPostgres();
let running: Promise<PostgresServer> | undefined;
let schemas = 0;

export function freshSchema(): string {
  schemas += 1;
  return `t${process.pid}_${schemas}`;
}

/**
 * A suite over a real server on this machine, one for the tests of a process: skipped, visibly, where no server is installed;
 * failing when REVIEWLOOP_REQUIRE names `postgres`.
 */
export function describePostgres(name: string, suite: (postgres: RealPostgres) => void): void {
  if (programs === undefined) {
    missing(name, 'no PostgreSQL server, set REVIEWLOOP_POSTGRES_BIN');
    return;
  }
  const found = programs;
  describe(name, () => {
    let server: PostgresServer;
    const pools: pg.Pool[] = [];
    beforeAll(async () => {
      running ??= startPostgres(found);
      server = await running;
      afterFile(stop);
    });
    afterAll(async () => {
      await Promise.all(pools.splice(0).map((pool) => pool.end()));
    });
    suite({
      address: () => server.address,
      programs: found,
      freshSchema,
      pool: () => {
        const pool = new pg.Pool({ connectionString: server.address, max: 4 });
        pool.on('error', () => {});
        pools.push(pool);
        return pool;
      },
    });
  });
}

/** A line in the list of tests about what cannot run here. */
export function missing(name: string, why: string): void {
  if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('postgres'))
    it(`${name}: PostgreSQL is required`, () => {
      throw new Error(why);
    });
  else it.skip(`${name} (skipped: ${why})`, () => undefined);
}

/** A database in this process. */
export interface EmbeddedPostgres extends PostgresClient {
  readonly close: () => Promise<void>;
}

let embedded: Promise<EmbeddedPostgres> | undefined;

/** Returns a database in this process, one for the tests of a file; it needs no server. */
export function pglite(): Promise<EmbeddedPostgres> {
  if (embedded === undefined) {
    // its types name those of another package, which it does not bring
    embedded = import('@electric-sql/pglite' as string).then(({ PGlite }) => PGlite.create());
    afterFile(() => {
      void embedded?.then((database) => database.close());
      embedded = undefined;
    });
  }
  return embedded;
}

function stop(): void {
  void running?.then((server) => server.close());
  running = undefined;
}
