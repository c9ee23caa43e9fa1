// What the tests start their PostgreSQL servers with, for measurements.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { root } from './library.mjs';

/** Calls with a new server on this machine that flushes its log, or reports that there is none. */
export async function withServer(report, name, work) {
  const { findPostgres, startPostgres } = await starter();
  const programs = findPostgres();
  if (programs === undefined) {
    report.line(name, 'skipped', { why: 'no PostgreSQL server' });
    return;
  }
  const server = await startPostgres(programs, { fsync: 'on' });
  try {
    await work(server.address);
  } finally {
    server.close();
  }
}

async function starter() {
  const outfile = `${root}bench/results/servers-${process.pid}.mjs`;
  await build({
    entryPoints: [`${root}test/support/postgres-server.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  try {
    return await import(outfile);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** Processor time of a server in milliseconds, with all its processes. Linux only. */
export function serverCpuMs(backend) {
  const main = fieldsOf(backend)?.[1];
  if (main === undefined) return Number.NaN;
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = fieldsOf(name);
    if (fields === undefined || (name !== main && fields[1] !== main)) continue;
    // what ended children used counts for the main process
    const used = name === main ? fields.slice(11, 15) : fields.slice(11, 13);
    for (const each of used) ticks += Number(each);
  }
  return ticks * 10;
}

/** The fields of a process after its name: state, parent, ... */
function fieldsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
}
