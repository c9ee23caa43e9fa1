import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { PostgresStore } from '@/adapters/stores/postgres/index.js';
import type { SqliteStore } from '@/adapters/stores/sqlite/index.js';
import { isReviewError } from '@/core/errors.js';

type Answers = Readonly<Record<string, unknown>>;

/** What a store holds, and a query over its tables. */
export interface Known {
  readonly runIds: readonly string[];
  readonly verdictKeys: readonly string[];
  readonly query: string;
}

/** What every reader of a store says: a value, or the code of an error. */
export async function answersOf(
  store: SqliteStore | PostgresStore,
  known: Known,
): Promise<Answers> {
  const told: Record<string, unknown> = {};
  const ask = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    told[name] = await call().catch((error: unknown) =>
      isReviewError(error) ? { code: error.code } : { unnamed: String(error) },
    );
  };
  for (const runId of known.runIds) {
    await ask(`read ${runId}`, async () => store.read(runId));
    await ask(`open ${runId}`, async () => {
      const journal = await store.open(runId, true);
      await journal.close();
      return journal.records;
    });
  }
  for (const key of known.verdictKeys)
    await ask(`verdict ${key}`, async () => store.verdicts.get(key));
  await ask('list', async () => store.list());
  await ask('page', async () => store.list({ limit: 100 }));
  await ask('waiting', async () => store.waiting?.({ limit: 100 }));
  await ask('orphans', async () => store.orphans?.({ limit: 100 }));
  await ask('lessons', async () => store.lessons.lessons());
  await ask('attempts', async () => store.attempts.of('TASK-001'));
  await ask('audit', async () => store.verifyAudit());
  await ask('query', async () => store.query(known.query));
  return told;
}

const codeIn = (value: unknown) => z.object({ code: z.string() }).safeParse(value).data?.code;

/** What is wrong with the answers after one cell was damaged. */
export function problemsAfter(before: Answers, after: Answers): string[] {
  const changed = Object.entries(after).filter(
    ([name, value]) => !isDeepStrictEqual(value, before[name]),
  );
  const problems = changed.flatMap(([name, value]) => {
    const isUnnamed = 'unnamed' in Object(value);
    const code = isUnnamed ? undefined : codeIn(value);
    if (isUnnamed) return [`${name} fails with ${JSON.stringify(value)}`];
    // lists and logs show what they read; a run is read whole, or refused by name
    if (/^(?:read|open|verdict|lessons)/.test(name) && code === undefined && value !== undefined)
      return [`${name} says ${JSON.stringify(value)}`];
    return ['list', 'page', 'waiting', 'orphans'].includes(name) && code !== undefined
      ? [`${name} stops with ${code}`]
      : [];
  });
  const lost = changed.filter(([name]) => name.startsWith('read')).map(([name]) => name);
  return lost.length > 1 ? [...problems, `${lost.join()} are lost`] : problems;
}
