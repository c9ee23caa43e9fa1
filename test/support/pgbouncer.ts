import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, guarded, printed, unprivileged, unprivilegedFolder } from './postgres-server.js';

/** Returns the program; undefined where it is not installed. */
export function findPgBouncer(): string | undefined {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
    existsSync(path),
  );
}

/**
 * Starts a pooler in transaction mode before a server: each statement may run on another connection.
 *
 * @returns Its address, and how it is stopped.
 */
export async function startPgBouncer(
  program: string,
  server: string,
): Promise<{ readonly address: string; readonly close: () => void }> {
  const folder = unprivilegedFolder('reviewloop-pgbouncer-');
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const { hostname, port: serverPort } = new URL(server);
  writeFileSync(
    config,
    `[databases]
postgres = host=${hostname} port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = 3
unix_socket_dir =
`,
  );
  const user = unprivileged.uid === undefined ? [] : ['-u', 'nobody'];
  const guard = guarded(folder, [program, ...user, config], 'KILL');
  await printed(guard, 'process up');
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return { address, close: () => void guard.stdin?.end() };
}
