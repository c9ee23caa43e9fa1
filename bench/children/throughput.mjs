// One of several workers over a database: runs of six calls of a fake model and one answer of a person.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import * as z from 'zod';
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';

const { address, schema, name, runs, width, callMs, textLength, startAt } = given();
const { definePipeline, limiter } = await library();
const { postgresStore } = await library('stores/postgres');
const pool = new pg.Pool({ connectionString: address, max: 4 });
let statements = 0;
const client = {
  query: (text, values) => {
    statements += 1;
    return pool.query(text, values);
  },
};
const store = postgresStore(client, { schema });
const call = (value) => new Promise((done) => setTimeout(done, callMs, value));
const verdicts = z.enum(['pass', 'fail']);
const gap = {
  id: '',
  severity: 'major',
  category: 'quality',
  description: 'too short',
  suggestedFix: 'make it longer',
  estimatedEffort: 'small',
  autoFixable: true,
};
const judge = (id) => ({
  id,
  version: '1',
  tier: 'model',
  review: async ({ output }, context) => {
    const verdict = await context.check(verdicts, () => call(output.n > 1 ? 'pass' : 'fail'));
    const gaps = verdict === 'pass' ? [] : [gap];
    return [{ verdict, criterion: id, score: gaps.length === 0 ? 1 : 0, explanation: '', gaps }];
  },
});
// words that a database cannot compress much
const text = randomBytes(textLength / 2).toString('hex');
const pipeline = definePipeline({
  name: 'article',
  store,
  produce: () => call({ text, n: 1 }),
  address: () => call({ text, n: 2 }),
  reviewers: [judge('a'), judge('b')],
  limiter: limiter({ concurrency: Number.POSITIVE_INFINITY }),
  human: { policy: 'require' },
});

async function oneRun(runId) {
  const { status, requests = [] } = await pipeline.run('tea', { runId });
  if (status !== 'suspended') throw new Error(`${runId} is ${status}`);
  const ended = await pipeline.answer(requests[0], { kind: 'approve', by: 'Ann' });
  if (ended.status !== 'approved') throw new Error(`${runId} is ${ended.status}`);
}

await oneRun(`${name}-first`);
await new Promise((done) => setTimeout(done, startAt - Date.now()));
statements = 0;
const cpu = process.cpuUsage();
const begun = performance.now();
let next = 0;
const lane = async () => {
  while (next < runs) await oneRun(`${name}-${next++}`);
};
await Promise.all(Array.from({ length: width }, lane));
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
await store.close();
await pool.end();
answer({ runs, seconds, statements, cpuMs: (user + system) / 1000 });
