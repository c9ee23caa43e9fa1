import { join } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import { readPlainText } from '../../../node/plain-file.js';
import { namesIn, writeInStore } from '../../../node/store-file.js';
import {
  type AttemptStore,
  attemptKey,
  attemptToStore,
  type TaskAttempt,
  TaskAttemptSchema,
} from '../../../ports/attempt-store.js';
import { portErrors } from '../../../ports/errors.js';

/**
 * Creates a store with one file for each attempt. Many processes may use the folder at the same
 * time. Files are written atomically.
 *
 * @param folder - The folder. The first attempt creates it.
 * @throws ReviewLoopError `record`: `output_unwritable`; `of` and `last`: `file_unreadable`,
 * `journal_corrupt`
 * @example
 * ```ts
 * const review = new TaskReview({ ...options, attempts: fileAttempts('.reviewloop/attempts') });
 * ```
 */
export function fileAttempts(folder: string): AttemptStore {
  const taskFolder = (taskId: string): string => join(folder, hashText(taskId).slice(0, 32));
  const of = async (taskId: string): Promise<TaskAttempt[]> => {
    const path = taskFolder(taskId);
    const names = (await namesIn(path)).filter((name) => name.endsWith('.json'));
    const attempts = await Promise.all(names.map((name) => readAttempt(join(path, name))));
    return attempts.sort(
      (a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)) || a.attempt - b.attempt,
    );
  };
  return {
    record: async (given) => {
      const attempt = attemptToStore(given);
      const name = `${hashText(attemptKey(attempt)).slice(0, 32)}.json`;
      const path = join(taskFolder(attempt.taskId), name);
      await writeInStore(folder, path, `${JSON.stringify(attempt, null, 2)}\n`);
    },
    of,
    last: async (taskId) => (await of(taskId)).at(-1),
  };
}

async function readAttempt(path: string): Promise<TaskAttempt> {
  try {
    return TaskAttemptSchema.parse(JSON.parse(await readPlainText(path)));
  } catch (error) {
    throw new ReviewLoopError(
      portErrors.journal_corrupt,
      `${path} does not contain a valid attempt`,
      { cause: error, value: path },
    );
  }
}
