// A worker of DBOS, and a client that starts a run. Both need a PostgreSQL database and one store:
//   DATABASE_URL=postgres://... node dbos.ts
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk';
import { definePipeline } from 'reviewloop';
import { dbosClient, serveWithDbos } from 'reviewloop/engines';
import { fileStore } from 'reviewloop/stores/file';

const systemDatabaseUrl = process.env['DATABASE_URL'] ?? '';
// machines share a database instead: postgresStore(systemDatabaseUrl)
const store = fileStore(process.env['STORE'] ?? '.reviewloop');

const article = definePipeline<string, string>({
  name: 'article',
  store,
  produce: async (topic) => `# ${topic}`,
  criteria: { title: (text) => text.startsWith('# ') || 'the title is missing' },
  human: { policy: 'require' },
});

const worker = await serveWithDbos(DBOS, {
  store,
  pipelines: { article },
  workerConcurrency: 20,
  config: { systemDatabaseUrl, logLevel: 'error' },
});

// any process can do this, without code of the pipeline
const database = await DBOSClient.create({ systemDatabaseUrl });
const client = dbosClient(database, { store });
await client.start('article', 'tea', { runId: 'tea-1' });

const waits = async () => (await store.read('tea-1'))?.findLast((one) => one.type === 'end');
while ((await waits())?.status !== 'suspended') await new Promise((done) => setTimeout(done, 50));
const asked = (await store.read('tea-1'))?.find((one) => one.type === 'request');
if (asked?.type === 'request') await client.answer(asked.request, { kind: 'approve', by: 'Ann' });
while ((await waits())?.status === 'suspended') await new Promise((done) => setTimeout(done, 50));
console.log((await waits())?.status);

await database.destroy();
await worker.stop();
