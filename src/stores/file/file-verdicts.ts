import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { invalid } from '../../core/options.js';
import { isMissing, writeDurably } from '../../node/durable.js';
import { makeOwnFolder } from '../../node/ignored-folder.js';
import type { StoredVerdict, VerdictStore } from '../../ports/verdict-store.js';
import { decodeEntry, encodeEntry, entryPath } from './verdict-entry.js';

/**
 * Keeps verdicts in a directory, one file each, for any number of processes at once. A file is there whole or not at all.
 *
 * @param directory - Made when it is not there, with a `.gitignore` that holds everything in it.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, verdicts: verdictFiles('.reviewloop/cache/verdicts') });
 * ```
 */
export function fileVerdicts(directory: string): VerdictStore {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  const root = resolve(directory);
  return {
    get: (key) => read(entryPath(root, key), key),
    put: (key, verdict) => write(root, key, verdict),
  };
}

async function read(path: string, key: string): Promise<StoredVerdict | undefined> {
  try {
    return decodeEntry(path, key, await readFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw known(error, `${path} cannot be read`);
  }
}

async function write(root: string, key: string, verdict: StoredVerdict): Promise<void> {
  const path = entryPath(root, key);
  try {
    await makeOwnFolder(root, dirname(path));
    await writeDurably(path, encodeEntry(key, verdict));
  } catch (error) {
    throw known(error, `${path} cannot be written`);
  }
}

function known(error: unknown, what: string): unknown {
  return isReviewError(error)
    ? error
    : new ReviewLoopError('verdict_unavailable', `${what}: ${messageOf(error)}`, { cause: error });
}
