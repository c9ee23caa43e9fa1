import { dirname, resolve } from 'node:path';
import { isReviewError, ReviewLoopError } from '../../core/errors.js';
import { invalid } from '../../core/options.js';
import { isMissing, writeDurably } from '../../node/durable.js';
import { systemReason } from '../../node/files.js';
import { readPlainFile } from '../../node/plain-file.js';
import { makeIgnoredFolder } from '../../node/store-file.js';
import { portErrors } from '../../ports/errors.js';
import type { StoredVerdict, VerdictStore } from '../../ports/verdict-store.js';
import { decodeEntry, encodeEntry, entryPath } from './verdict-entry.js';

/**
 * Creates a verdict cache in a directory, with one file for each verdict. Any number of processes
 * can share it. A file is written completely or not at all.
 *
 * @param directory - Created if it is missing, with a `.gitignore` that ignores everything in it.
 * @throws ReviewLoopError `invalid_options`; `get` rejects with `verdict_corrupt`,
 *   `verdict_newer`, `verdict_unavailable`; `put` rejects with `verdict_unavailable`
 * @example
 * ```ts
 * const verdicts = fileVerdicts('.reviewloop/cache/verdicts');
 * const pipeline = definePipeline({ ...options, verdicts });
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
    return decodeEntry(path, key, await readPlainFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw asReviewError(error, `cannot read ${path}`);
  }
}

async function write(root: string, key: string, verdict: StoredVerdict): Promise<void> {
  const path = entryPath(root, key);
  try {
    await makeIgnoredFolder(root, dirname(path));
    await writeDurably(path, encodeEntry(key, verdict));
  } catch (error) {
    throw asReviewError(error, `cannot write ${path}`);
  }
}

function asReviewError(error: unknown, what: string): unknown {
  return isReviewError(error)
    ? error
    : new ReviewLoopError(portErrors.verdict_unavailable, `${what}: ${systemReason(error)}`, {
        cause: error,
      });
}
