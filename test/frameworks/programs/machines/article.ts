// A pipeline of six paid calls and a person, which writes down each paid call.
import { appendFileSync } from 'node:fs';
import { definePipeline, type Gap, type Reviewer } from 'reviewloop';
import type { SharedStore } from 'reviewloop/engines';
import { postgresStore } from 'reviewloop/stores/postgres';
import * as z from 'zod';

const setting = (name: string, otherwise: string): string => process.env[name] ?? otherwise;

/** The store that all processes of a test share. */
export function sharedStore() {
  const leaseMs = Number(setting('LEASE_MS', '2000'));
  const schema = setting('SCHEMA', 'runs');
  const store = postgresStore(setting('DATABASE', ''), { schema, leaseMs });
  if (setting('HANGS', '') !== 'read') return store;
  const read: typeof store.read = (runId) => {
    note({ event: 'hangs', run: runId });
    return new Promise(() => {});
  };
  return { ...store, read };
}

/** Writes a line to the books of a test; lines of several processes do not mix. */
export function note(line: Record<string, unknown>): void {
  appendFileSync(
    setting('BOOKS', 'books.jsonl'),
    `${JSON.stringify({ ...line, pid: process.pid, at: Date.now() })}\n`,
  );
}

const least = Number(setting('CALL_MS', '20'));
const spread = Number(setting('CALL_SPREAD_MS', '180'));

async function paid<Value>(run: string, step: string, value: Value): Promise<Value> {
  note({ event: 'start', run, step });
  await new Promise((resolve) => setTimeout(resolve, least + Math.random() * spread));
  if (setting('FAILS', '') === step) throw new Error('the model is down');
  note({ event: 'done', run, step });
  return value;
}

const gap: Gap = {
  id: '',
  severity: 'major',
  category: 'quality',
  description: 'too short',
  suggestedFix: 'make it longer',
  estimatedEffort: 'small',
  autoFixable: true,
};

function judge(id: string, version: string): Reviewer<string, { text: string; n: number }> {
  return {
    id,
    version,
    tier: 'model',
    review: async ({ output }, context) => {
      const verdict = await context.check(z.enum(['pass', 'fail']), () =>
        paid(context.runId, `${id}@${version}:${output.n}`, output.n > 1 ? 'pass' : 'fail'),
      );
      return verdict === 'pass'
        ? [{ verdict, criterion: id, score: 1, explanation: '', gaps: [] }]
        : [{ verdict, criterion: id, score: 0, explanation: 'too short', gaps: [gap] }];
    },
  };
}

/** Produce, two judges, address, two judges, a person. */
export function articlePipeline(store: SharedStore) {
  const { judges = ['a@1', 'b@1'], ...more } = JSON.parse(setting('PIPELINE', '{}')) as {
    judges?: string[];
    onChange?: 'continue' | 'restart' | 'ask';
    human?: { policy: 'require'; expiresAfterMs?: number };
  };
  return definePipeline<string, { text: string; n: number }>({
    name: 'article',
    store,
    produce: (task, { runId }) => paid(runId, 'produce', { text: task, n: 1 }),
    address: ({ text }, _gaps, { runId }) => paid(runId, 'address', { text, n: 2 }),
    reviewers: judges.map((each) => judge(...(each.split('@') as [string, string]))),
    human: { policy: 'require' },
    ...more,
  });
}
