// A run of many steps over a store; it breaks at its end, and is gone on with: every step comes from the journal.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { answer, given } from '../lib/child.mjs';
import { dist, library, root } from '../lib/library.mjs';

const { steps, store: kind, width } = given();
const { definePipeline, memoryStore } = await library();
const { fileStore } = await import(pathToFileURL(`${dist}/stores/file.js`).href);
const { sqliteStore } = await import(pathToFileURL(`${dist}/stores/sqlite.js`).href);
const schema = z.object({ text: z.string() });
const directory = mkdtempSync(join(root, 'bench/results/durable-'));
const database = join(directory, 'runs.db');
const stores = {
  memory: () => memoryStore(),
  file: () => fileStore(directory),
  sqlite: () => sqliteStore(database),
};
const store = stores[kind]();
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

function measured() {
  const counts = { executed: 0 };
  let breaks = true;
  const one = (index, step) =>
    step(`step-${index}`, { input: { index }, schema }, async () => {
      counts.executed += 1;
      return { text: `result of ${index}` };
    });
  const pipeline = definePipeline({
    store,
    criteria: { fine: () => true },
    produce: async (_task, { step }) => {
      for (let index = 0; index < steps; index += width)
        await Promise.all(
          Array.from({ length: Math.min(width, steps - index) }, (_, offset) =>
            one(index + offset, step),
          ),
        );
      if (breaks) {
        breaks = false;
        throw new Error('broken on purpose');
      }
      return 'output';
    },
  });
  return async (runId) => {
    counts.executed = 0;
    const cpu = process.cpuUsage();
    const start = performance.now();
    const { status } = await pipeline.run('task', { runId });
    const wallMicros = ((performance.now() - start) * 1000) / steps;
    const { user, system } = process.cpuUsage(cpu);
    return { status, executed: counts.executed, wallMicros, cpuMicros: (user + system) / steps };
  };
}

const run = measured();
const append = await run('measured');
const replay = await run('measured');
// the last connection that is closed puts the whole log of changes into the file
await store.close?.();
const kept = { file: join(directory, 'runs/measured/journal.jsonl'), sqlite: database }[kind];
answer({ append, replay, bytesPerStep: kept === undefined ? 0 : statSync(kept).size / steps });
