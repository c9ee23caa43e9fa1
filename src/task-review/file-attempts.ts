import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { isMissing, makeFolders } from '../node/durable.js';
import { systemReason } from '../node/file-errors.js';
import { writeFileAtomic } from '../node/files.js';
import {
  type AttemptStore,
  attemptKey,
  attemptToKeep,
  type TaskAttempt,
  TaskAttemptSchema,
} from './attempt-store.js';

/**
 * Creates a store that keeps attempts at tasks in a folder, one file each. Many processes may
 * record at the same time, and none reads half a file.
 *
 * @param folder - Created with the first attempt.
 * @throws ReviewLoopError `record`: `output_unwritable`; `of` and `last`: `file_unreadable`,
 * `journal_corrupt`
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
      'file_unreadable',
      `cannot read the attempts in ${place}: ${systemReason(error)}`,
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
    throw new ReviewLoopError('journal_corrupt', `${path} does not contain a valid attempt`, {
      cause: error,
      value: path,
    });
  }
}
