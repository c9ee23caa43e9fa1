import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { fileStore } from '../../../src/stores/file/index.js';
import { emptyDirectory } from './file-support.js';

it('a run that another process has taken over ends at the next heartbeat, and the call that is out is told', async () => {
  const directory = emptyDirectory();
  const store = fileStore(directory, { heartbeatMs: 20, patienceMs: 400 });
  let told: unknown;
  const pipeline = definePipeline<string, string>({
    store,
    produce: (task, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          told = signal.reason;
          resolve(task);
        });
        writeFileSync(
          join(directory, 'runs/r/lock.2'),
          JSON.stringify({ pid: 1, host: 'another', epoch: 2, at: 0 }),
        );
      }),
    criteria: { fine: () => true },
  });
  const outcome = await pipeline.run('task', { runId: 'r' });
  expect(outcome).toMatchObject({ status: 'failed', code: 'journal_fenced' });
  expect(told).toMatchObject({ code: 'journal_fenced' });
  expect(await store.read('r')).toMatchObject([{ type: 'run' }]);
});
