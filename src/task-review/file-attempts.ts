import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { isMissing, makeFolders } from '../node/durable.js';
import { nodeErrors } from '../node/errors.js';
import { writeFileAtomic } from '../node/files.js';
import { portErrors } from '../ports/errors.js';
import {
  type AttemptStore,
  attemptKey,
  attemptToKeep,
  type TaskAttempt,
  TaskAttemptSchema,
} from './attempt-store.js';

/**
 * Attempts at tasks in a folder, a file for each: many processes may record at once, and none sees half of one.
 *
 * @param folder - Made when it is needed.
 * @example
 * ```ts
 * const review = new TaskReview({ ...options, attempts: fileAttempts('.reviewloop/attempts') });
 * ```
 */
export function fileAttempts(folder: string): AttemptStore {
  const placeOf = (taskId: string): string => join(folder, hashText(taskId).slice(0, 32));
  const of = async (taskId: string): Promise<TaskAttempt[]> => {
    const place = placeOf(taskId);
    const names = await namesIn(place);
    const read = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => attemptIn(join(place, name))),
    );
    return read.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)) || a.attempt - b.attempt);
  };
  return {
    record: async (attempt) => {
      const whole = attemptToKeep(attempt);
      const place = placeOf(whole.taskId);
      await makeFolders(place);
      await writeFileAtomic(
        join(place, `${hashText(attemptKey(whole)).slice(0, 32)}.json`),
        `${JSON.stringify(whole, null, 2)}\n`,
      );
    },
    of,
    last: async (taskId) => (await of(taskId)).at(-1),
  };
}

async function namesIn(place: string): Promise<string[]> {
  try {
    return await readdir(place);
  } catch (error) {
    if (isMissing(error)) return [];
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `the attempts in ${place} cannot be read`,
      {
        cause: error,
        value: place,
      },
    );
  }
}

async function attemptIn(path: string): Promise<TaskAttempt> {
  try {
    return TaskAttemptSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new ReviewLoopError(portErrors.journal_corrupt, `${path} holds no attempt`, {
      cause: error,
      value: path,
    });
  }
}
