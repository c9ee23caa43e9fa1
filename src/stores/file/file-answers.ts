import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { invalid } from '../../core/options.js';
import type { AnswerCache } from '../../model/middleware/with-cache.js';
import { isMissing, makeFolders, writeDurably } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';

/**
 * Keeps answers of models in a folder, one file for each question. A file that cannot be read counts as none.
 *
 * @throws ReviewLoopError `invalid_options`; `output_unwritable` when an answer cannot be kept
 * @example
 * ```ts
 * const cached = withCache(provider, { cache: answerFolder('.reviewloop/cache') });
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
        return JSON.parse(await readFile(fileOf(key), 'utf8')) as unknown;
      } catch (error) {
        if (isMissing(error) || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    set: async (key, answer) => {
      const path = fileOf(key);
      try {
        await makeFolders(join(directory, key.slice(0, 2)));
        await writeDurably(path, JSON.stringify(answer));
      } catch (error) {
        throw new ReviewLoopError(
          nodeErrors.output_unwritable,
          `${path} cannot be written: ${messageOf(error)}`,
          { cause: error, value: path },
        );
      }
    },
  };
}
