import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Cassette,
  type CassetteEntry,
  CassetteEntrySchema,
} from '../../../blocks/models/middleware/cassette.js';
import type { AnswerCache } from '../../../blocks/models/middleware/with-cache.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import { invalid } from '../../../core/options.js';
import {
  appendFlags,
  isMissing,
  makeFolders,
  privateMode,
  writeDurably,
} from '../../../node/durable.js';
import { nodeErrors } from '../../../node/errors.js';
import { unwritableFile } from '../../../node/files.js';
import { readPlainText } from '../../../node/plain-file.js';
import { checkedFolder, makeStoreFolder, readStored } from '../../../node/store-file.js';

/**
 * Creates a cache that stores model answers in a folder, one file for each question. A file that is
 * not JSON counts as missing.
 *
 * @param directory - Created with the first answer.
 * @throws ReviewLoopError `invalid_options`; `set` rejects with `output_unwritable`
 * @example
 * ```ts
 * const cached = withCache(provider, { cache: fileAnswers('.reviewloop/cache') });
 * ```
 */
export function fileAnswers(directory: string): AnswerCache {
  const folder = checkedFolder(directory);
  const fileOf = (key: string): string => {
    if (!/^[0-9a-f]{64}$/.test(key)) throw invalid('key', 'a digest', key);
    return join(folder, key.slice(0, 2), `${key}.json`);
  };
  return {
    get: async (key) => {
      try {
        return JSON.parse(await readPlainText(fileOf(key))) as unknown;
      } catch (error) {
        if (isMissing(error) || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    set: async (key, answer) => {
      const path = fileOf(key);
      try {
        await makeStoreFolder(folder, dirname(path));
        await writeDurably(path, JSON.stringify(answer));
      } catch (error) {
        throw unwritableFile(path, error);
      }
    },
  };
}

/**
 * Creates a cassette in a file of JSON lines. Recording appends to it.
 *
 * @throws ReviewLoopError `invalid_options`; `read` rejects with `file_unreadable`, also for a
 *   malformed line; `append` rejects with `output_unwritable`
 * @example
 * ```ts
 * const provider = await replayCassette(fileCassette('test/cassettes/review.jsonl'));
 * ```
 */
export function fileCassette(path: string): Cassette {
  if (typeof path !== 'string' || path === '') throw invalid('path', 'the path of a file', path);
  const turn = mutex();
  return {
    read: async () => {
      const lines = ((await readStored(path)) ?? '').split('\n');
      return lines.flatMap((line, index) =>
        line.trim() === '' ? [] : [entryOf(path, line, index + 1)],
      );
    },
    append: (entry) => turn(() => appendEntry(path, entry)),
  };
}

function entryOf(path: string, line: string, number: number): CassetteEntry {
  try {
    return CassetteEntrySchema.parse(JSON.parse(line));
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `cannot read ${path}: line ${number} is not a line of a cassette`,
      { cause: error, value: path },
    );
  }
}

async function appendEntry(path: string, entry: CassetteEntry): Promise<void> {
  try {
    await makeFolders(dirname(path));
    const handle = await open(path, appendFlags, privateMode);
    try {
      await handle.appendFile(`${JSON.stringify(entry)}\n`);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unwritableFile(path, error);
  }
}
