// 10,000 runs that wait for a person, in a PostgreSQL server of this machine: pages, answers, and what an idle worker uses.
import { loadavg } from 'node:os';
import pg from 'pg';
import { library } from '../lib/library.mjs';
import { withServer } from '../lib/servers.mjs';

const runs = 10_000;
const width = 200;
const idleMs = 20_000;

export async function postgres(report) {
  await withServer(report, 'postgres', (address) => measure(report, address));
}

async function measure(report, address) {
  const { definePipeline } = await library();
  const { postgresStore } = await library('stores/postgres');
  const store = postgresStore(address);
  const pipeline = definePipeline({
    name: 'waits',
    store,
    produce: async (task) => `# ${task}`,
    criteria: { titled: (text) => text.startsWith('# ') || 'no title' },
    human: { policy: 'require' },
  });
  const filled = await timed(() => parallel(runs, (n) => pipeline.run('tea', { runId: `r${n}` })));
  const list = await times(50, () => store.list({ status: 'suspended', limit: 100 }));
  const waiting = await times(50, () => store.waiting({ limit: 100 }));
  const page = await store.waiting({ limit: 300 });
  const asked = page.runs.map(({ questions: [{ request }] }) => request);
  const answer = await times(200, (n) => pipeline.answer(asked[n], { kind: 'approve', by: 'Ann' }));
  const orphans = await times(50, () => store.orphans({ limit: 100 }));
  const commit = await commitMs(address);
  const before = process.cpuUsage();
  await new Promise((done) => setTimeout(done, idleMs));
  const used = process.cpuUsage(before);
  const idlePercent = (used.user + used.system) / 10 / idleMs;
  await store.close();
  const figures = {
    runs,
    filledMs: filled,
    runsPerSecond: (runs / filled) * 1000,
    listP95Ms: list,
    waitingP95Ms: waiting,
    orphansP95Ms: orphans,
    answerP95Ms: answer,
    idlePercent,
    commitP95Ms: commit,
    load: loadavg()[0],
  };
  report.line('postgres', 'postgresStore', figures);
  report.atMost('first page of 10,000 runs that wait, p95, ms', waiting, 50);
  report.atMost('first page of a list of 10,000 runs, p95, ms', list, 50);
  report.atMost('answering one of 10,000 runs, p95, ms', answer, 30);
  report.atMost('processor use of an idle worker, %', idlePercent, 2);
}

/** What one durable statement takes on this disk. */
async function commitMs(address) {
  const pool = new pg.Pool({ connectionString: address, max: 1 });
  await pool.query('CREATE TABLE commits (n int)');
  const found = await times(200, (n) => pool.query('INSERT INTO commits VALUES ($1)', [n]));
  await pool.end();
  return found;
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The time below which 95 of 100 calls are, one after another. */
async function times(count, call) {
  const found = [];
  for (let n = 0; n < count; n += 1) found.push(await timed(() => call(n)));
  return found.sort((a, b) => a - b)[Math.floor(count * 0.95)];
}

async function parallel(count, work) {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, one));
}
