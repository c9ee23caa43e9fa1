// A worker of Restate, which its server calls, and a client that starts a run:
//   restate-server, then: node restate.ts, then: restate deployments register http://127.0.0.1:9080
import * as restate from '@restatedev/restate-sdk';
import { definePipeline } from 'reviewloop';
import { restateClient, restateServices } from 'reviewloop/engines';
import { fileStore } from 'reviewloop/stores/file';

// machines share a database instead: postgresStore(process.env.DATABASE_URL)
const store = fileStore(process.env['STORE'] ?? '.reviewloop');

const article = definePipeline<string, string>({
  name: 'article',
  store,
  produce: async (topic) => `# ${topic}`,
  criteria: { title: (text) => text.startsWith('# ') || 'the title is missing' },
  human: { policy: 'require' },
});

const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
await restate.serve({
  port: 9080,
  services: restateServices(restate, {
    store,
    pipelines: { article },
    release: stopping.signal,
  }),
});

// any process can do this, without code of the pipeline
const client = restateClient(process.env['RESTATE_INGRESS'] ?? 'http://127.0.0.1:8080', { store });
await client.startSweep();
await client.start('article', 'tea', { runId: 'tea-1' });
