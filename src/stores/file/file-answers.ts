import { dirname, join } from 'node:path';
import { invalid } from '../../core/options.js';
import type { AnswerCache } from '../../model/middleware/with-cache.js';
import { isMissing, writeDurably } from '../../node/durable.js';
import { unwritableFile } from '../../node/files.js';
import { readPlainText } from '../../node/plain-file.js';
import { makeStoreFolder } from '../../node/store-file.js';

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
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  const fileOf = (key: string): string => {
    if (!/^[0-9a-f]{64}$/.test(key)) throw invalid('key', 'a digest', key);
    return join(directory, key.slice(0, 2), `${key}.json`);
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
        await makeStoreFolder(directory, dirname(path));
        await writeDurably(path, JSON.stringify(answer));
      } catch (error) {
        throw unwritableFile(path, error);
      }
    },
  };
}
