// Workers as processes of their own over one PostgreSQL server, against the bound of the fake model, and what one run costs.
import { loadavg } from 'node:os';
import pg from 'pg';
import { runChild } from '../lib/child.mjs';
import { serverCpuMs, withServer } from '../lib/servers.mjs';

/** Each worker has so many runs out; each call takes so long; a run has four phases of calls. */
const shape = { width: 20, callMs: 1000, textLength: 4000 };
const phases = 4;
const runsOfOneWorker = 120;

export async function throughput(report) {
  await withServer(report, 'throughput', async (address) => {
    const pool = new pg.Pool({ connectionString: address, max: 1 });
    try {
      for (const workers of [1, 2, 4]) await measure(report, { address, pool, workers });
    } finally {
      await pool.end();
    }
  });
}

async function measure(report, { address, pool, workers }) {
  const schema = `w${workers}`;
  const startAt = Date.now() + 5000;
  const given = { address, schema, runs: runsOfOneWorker, ...shape, startAt };
  const children = Array.from({ length: workers }, (_, index) =>
    runChild('throughput', { ...given, name: `w${index}` }),
  );
  await new Promise((done) => setTimeout(done, startAt - Date.now()));
  const before = await usedBy(pool);
  const all = await Promise.all(children);
  const after = await usedBy(pool);
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  const seconds = Math.max(...all.map((one) => one.seconds));
  const runs = sum('runs');
  const { rows } = await pool.query(
    `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
    [schema],
  );
  const perSecond = runs / seconds;
  const bound = (workers * shape.width * 1000) / (phases * shape.callMs);
  report.line('throughput', 'postgresStore', {
    workers,
    ...shape,
    runs,
    runsPerSecond: perSecond,
    boundPerSecond: bound,
    statementsPerRun: sum('statements') / runs,
    workerCpuMsPerRun: sum('cpuMs') / runs,
    serverCpuMsPerRun: (after.cpuMs - before.cpuMs) / runs,
    walBytesPerRun: (after.wal - before.wal) / runs,
    diskBytesPerRun: rows[0].bytes / runs,
    load: loadavg()[0],
  });
  report.atLeast(`share of the bound, ${workers} workers`, perSecond / bound, 0.9);
}

async function usedBy(pool) {
  const { rows } = await pool.query(
    `SELECT pg_backend_pid() AS pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal`,
  );
  return { cpuMs: serverCpuMs(rows[0].pid), wal: rows[0].wal };
}
