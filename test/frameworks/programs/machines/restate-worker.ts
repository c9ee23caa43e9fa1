// A worker of Restate that a test starts, kills and stops.
import * as restate from '@restatedev/restate-sdk';
import { restateServices } from 'reviewloop/engines';
import { articlePipeline, note, sharedStore } from './article.js';

const store = sharedStore();
const stopping = new AbortController();
await restate.serve({
  port: Number(process.env['WORKER_PORT']),
  services: restateServices(restate, {
    store,
    pipelines: { article: articlePipeline(store) },
    release: stopping.signal,
    everyMs: Number(process.env['LOST_MS'] ?? 3000),
  }),
});
note({ event: 'up' });
process.once('SIGTERM', async () => {
  stopping.abort();
  // the calls that are out are recorded, and Restate is answered
  await new Promise((resolve) => setTimeout(resolve, Number(process.env['STOP_MS'] ?? 2000)));
  await store.close();
  note({ event: 'down' });
  process.exit(0);
});
