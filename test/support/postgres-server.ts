import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server of a test, on this machine only. */
export interface PostgresServer {
  /** The address of its database, for any driver. */
  readonly address: string;
  /** The folder of the server's programs. */
  readonly programs: string;
  /** Ends it in the middle of its work, as `pg_ctl stop -m immediate` does. */
  readonly crash: () => Promise<void>;
  /** Starts it again after a crash, at the same address. */
  readonly start: () => Promise<void>;
  /** Ends it and removes its files. */
  readonly close: () => void;
}

/** Server processes refuse to run as root. */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Returns the folder with the programs of a server, the newest one; undefined where there is none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : [];
  const { stdout = '' } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return [
    process.env['REVIEWLOOP_POSTGRES_BIN'] ?? '',
    ...versions.map((version) => join(debian, version, 'bin')),
    (stdout ?? '').trim(),
  ].find(
    (folder) =>
      folder !== '' && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

/**
 * Makes a new database in a folder of its own and starts a server over it.
 *
 * @param given - Settings of the server. Tests do without its flushes.
 */
export async function startPostgres(
  programs: string,
  given: Readonly<Record<string, string>> = { fsync: 'off' },
): Promise<PostgresServer> {
  const folder = unprivilegedFolder('reviewloop-postgres-');
  const data = join(folder, 'data');
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...unprivileged, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`);
  const port = await freePort();
  const kept = join(folder, 'kept');
  let guard: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    rmSync(kept, { force: true });
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...given };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    guard = guarded(folder, [join(programs, 'postgres'), '-D', data, '-p', `${port}`, ...options]);
    await printed(guard, 'ready to accept connections');
  };
  const end = (): Promise<void> =>
    new Promise((done) => {
      if (guard === undefined || guard.exitCode !== null) return done();
      guard.on('exit', () => done());
      guard.stdin?.end();
    });
  await start();
  return {
    address: `postgres://postgres@127.0.0.1:${port}/postgres`,
    programs,
    start,
    crash: () => {
      writeFileSync(kept, '');
      return end();
    },
    close: () => {
      rmSync(kept, { force: true });
      guard?.stdin?.end();
    },
  };
}

/**
 * Starts a server that ends at once, with its folder, when this process ends in any way: its guard reads a pipe that only
 * this process holds open.
 *
 * @param signal - Ends the server at once.
 */
export function guarded(folder: string, command: readonly string[], signal = 'QUIT'): ChildProcess {
  const script = `folder=$1; shift
"$@" < /dev/null & server=$!
cat > /dev/null
kill -${signal} $server; wait $server
[ -e "$folder/kept" ] || rm -rf "$folder"`;
  const guard = spawn('sh', ['-c', script, 'sh', folder, ...command], {
    ...unprivileged,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    // a signal to the group of the tests must not end the guard before the server
    detached: true,
  });
  guard.unref();
  return guard;
}

export function printed(server: ChildProcess, text: string): Promise<void> {
  return new Promise((done, fail) => {
    let said = '';
    server.on('exit', () => fail(new Error(`the server ended: ${said}`)));
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-10_000);
      if (said.includes(text)) done();
    });
  });
}

export function unprivilegedFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid);
  return folder;
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => done(port));
    });
  });
}
