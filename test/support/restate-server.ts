import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, eventually } from './machines.js';
import { freePort } from './postgres-server.js';

/** A server of Restate on this machine. */
export interface RestateServer {
  readonly ingress: string;
  /** Makes it call the workers behind an address. */
  readonly register: (uri: string) => Promise<void>;
  /** Ends it in the middle of its work. */
  readonly crash: () => Promise<void>;
  /** Starts it again after a crash, at the same addresses. */
  readonly start: () => Promise<void>;
  readonly close: () => void;
}

/** Starts a server with a new folder. It talks to nobody but this machine. */
export async function startRestate(program: string): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'reviewloop-restate-'));
  const [ingress, admin, node] = await Promise.all([freePort(), freePort(), freePort()]);
  const config = join(folder, 'restate.toml');
  writeFileSync(
    config,
    `roles = ["http-ingress", "admin", "worker", "log-server", "metadata-server"]
node-name = "test"
cluster-name = "test-${process.pid}"
base-dir = "${folder}"
bind-address = "127.0.0.1:${node}"
advertised-address = "http://127.0.0.1:${node}"
default-num-partitions = 4
rocksdb-total-memory-size = "128MB"
disable-telemetry = true
log-filter = "warn"
[ingress]
bind-address = "127.0.0.1:${ingress}"
[admin]
bind-address = "127.0.0.1:${admin}"
`,
  );
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawned(program, config, folder);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-8000)));
    const isUp = async (port: number, path: string): Promise<boolean> => {
      if (child?.exitCode !== null) throw new Error(`the server ended: ${said}`);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
      return answer?.ok === true;
    };
    await eventually(() => isUp(admin, '/health'));
    await eventually(() => isUp(ingress, '/restate/health'));
  };
  await start();
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    register: async (uri) => {
      const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uri, force: true }),
      });
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    },
    start,
    crash: async () => {
      child?.kill('SIGKILL');
      if (child !== undefined) await ended(child);
    },
    close: () => {
      child?.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function spawned(program: string, config: string, folder: string): ChildProcess {
  return spawn(program, ['--config-file', config], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // no proxy stands between it and the workers
    env: { PATH: process.env['PATH'], HOME: folder, NO_PROXY: '127.0.0.1' },
  });
}

/** Stands before workers, as a balancer does: a new connection goes to one that listens. */
export async function balancer(ports: readonly number[]): Promise<{
  readonly address: string;
  readonly close: () => void;
}> {
  let turn = 0;
  const server = createServer((client) => {
    const connect = (tries: number): void => {
      turn += 1;
      const port = ports[turn % ports.length] ?? 0;
      const worker = createConnection({ port, host: '127.0.0.1' });
      worker.once('error', () => {
        if (tries > ports.length) client.destroy();
        else connect(tries + 1);
      });
      worker.once('connect', () => {
        worker.removeAllListeners('error');
        worker.on('error', () => client.destroy());
        worker.on('close', () => client.destroy());
        client.on('error', () => worker.destroy());
        client.on('close', () => worker.destroy());
        client.pipe(worker).pipe(client);
      });
    };
    client.on('error', () => {});
    connect(0);
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}
