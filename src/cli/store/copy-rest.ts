import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { isReviewError } from '../../core/errors.js';
import { parseLine } from '../../lessons/lesson-book.js';
import type { PostgresDatabase } from '../../stores/postgres/postgres-database.js';
import { insertLessonLine } from '../../stores/postgres/table-stores.js';
import { attemptKey } from '../../task-review/attempt-store.js';
import { type Copied, CopyCount } from './copied.js';
import type { CopySource } from './copy-source.js';

/** Copies cached verdicts. One that cannot be read is left out: its judge is asked again. */
export async function copyVerdicts(
  { store, verdictKeys }: CopySource,
  { verdicts }: Pick<StoreHandle, 'verdicts'>,
): Promise<Copied> {
  const count = new CopyCount();
  for (const key of await verdictKeys()) {
    const verdict = await readable(() => store.verdicts.get(key));
    if (verdict === undefined) count.differs(`verdict ${key.slice(0, 16)} cannot be read`);
    else if ((await readable(() => verdicts.get(key))) !== undefined) count.there();
    else {
      await verdicts.put(key, verdict);
      count.copied();
    }
  }
  return count.result;
}

/** Copies lessons; a line that is not one is left out. */
export async function copyLessons(
  { lessonLines }: CopySource,
  database: PostgresDatabase,
): Promise<Copied> {
  const count = new CopyCount();
  for (const line of await lessonLines()) {
    const record = parseLine(line);
    if ('error' in record) count.differs(`a lesson ${record.what}`);
    else if (await insertLessonLine(database, record, line)) count.copied();
    else count.there();
  }
  return count.result;
}

/** Copies attempts at tasks. One that the other store has already stays as it is there. */
export async function copyAttempts(
  { store, taskIds }: CopySource,
  { attempts }: Pick<StoreHandle, 'attempts'>,
): Promise<Copied> {
  const count = new CopyCount();
  for (const taskId of await taskIds()) {
    const known = new Set((await attempts.of(taskId)).map(attemptKey));
    for (const attempt of await store.attempts.of(taskId)) {
      if (known.has(attemptKey(attempt))) count.there();
      else {
        await attempts.record(attempt);
        count.copied();
      }
    }
  }
  return count.result;
}

async function readable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isReviewError(error)) return undefined;
    throw error;
  }
}
