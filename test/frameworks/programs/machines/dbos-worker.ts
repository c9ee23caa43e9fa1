// A worker of DBOS that a test starts, kills and stops.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { serveWithDbos } from 'reviewloop/engines';
import { articlePipeline, note, sharedStore } from './article.js';

const store = sharedStore();
const worker = await serveWithDbos(DBOS, {
  store,
  pipelines: { article: articlePipeline(store) },
  queue: process.env['QUEUE'],
  sweepMs: Number(process.env['SWEEP_MS'] ?? 1000),
  lostAfterMs: Number(process.env['LOST_MS'] ?? 3000),
  workerConcurrency: Number(process.env['WIDTH'] ?? 100),
  config: { systemDatabaseUrl: process.env['DATABASE'], logLevel: 'error' },
  logger: { debug: () => {}, info: () => {}, error: console.error, warn: console.error },
});
note({ event: 'up' });
process.once('SIGTERM', async () => {
  await worker.stop();
  await store.close();
  note({ event: 'down' });
  process.exit(0);
});
