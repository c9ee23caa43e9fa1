// A worker without an engine, which a test starts, kills and stops: it drives the runs that nobody continues.
import { driveRun } from 'reviewloop/engines';
import { articlePipeline, note, sharedStore } from './article.js';

const store = sharedStore();
const stopping = new AbortController();
const pipelines = { article: articlePipeline(store) };
const drive = driveRun({ store, pipelines, release: stopping.signal });
const width = Number(process.env['WIDTH'] ?? 100);
const driving = new Map<string, Promise<unknown>>();

note({ event: 'up' });
process.once('SIGTERM', () => stopping.abort());
while (!stopping.signal.aborted) {
  const { runs } = await store.orphans({ olderThanMs: 0, limit: 1000 });
  // each worker begins somewhere else, so that few meet
  const from = Math.floor(Math.random() * runs.length);
  for (const { runId } of [...runs.slice(from), ...runs.slice(0, from)]) {
    if (driving.size >= width || driving.has(runId)) continue;
    driving.set(
      runId,
      drive(runId)
        .catch((error: unknown) => console.error(error))
        .finally(() => driving.delete(runId)),
    );
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
}
await Promise.all(driving.values());
await store.close();
note({ event: 'down' });
process.exit(0);
