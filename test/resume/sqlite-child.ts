// Records attempts in a database as soon as a line comes in, and what it was promised on standard output.
import { createInterface } from 'node:readline';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { taskAttempt } from '../support/task-attempt.js';

const [, , file = '', name = '', count = '1'] = process.argv;
const store = sqliteStore(file);
console.log('ready');
for await (const _line of createInterface({ input: process.stdin })) {
  const journal = await store.open(name, true);
  await journal.append({
    type: 'run',
    schema: 1,
    runId: name,
    pipeline: 'p',
    taskDigest: 'd',
    task: null,
    nonce: 'n',
    at: 1,
  });
  for (let done = 0; done < Number(count); done += 1) {
    await store.attempts.record(
      taskAttempt({
        taskId: 'shared',
        runId: name,
        attempt: done + 1,
        reviewFindings: `${name} ${done} `.repeat(100),
      }),
    );
    await Promise.all(
      ['a', 'b'].map(async (part) =>
        journal.append({
          type: 'step',
          name: `step ${done} ${part}`,
          input: '',
          value: 'x'.repeat(2000),
          usage: { inputTokens: 1 },
          at: 2,
        }),
      ),
    );
    console.log(JSON.stringify({ done }));
  }
  await journal.append({ type: 'end', status: 'approved', code: 'approved', at: 3 });
  await journal.close();
  process.exit(0);
}
