import { appendFile, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { mutex } from '../../core/mutex.js';
import { invalid } from '../../core/options.js';
import {
  type Cassette,
  type CassetteEntry,
  CassetteEntrySchema,
} from '../../model/middleware/cassette.js';
import { isMissing, makeFolders } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';

/**
 * A cassette in a file of JSON lines. Recording adds to what is there.
 *
 * @throws ReviewLoopError `invalid_options`; `file_unreadable` for a line that is none of a cassette; `output_unwritable`
 * @example
 * ```ts
 * const provider = await replay(cassetteFile('test/cassettes/review.jsonl'));
 * ```
 */
export function fileCassette(path: string): Cassette {
  if (typeof path !== 'string' || path === '') throw invalid('path', 'the path of a file', path);
  const turn = mutex();
  return {
    read: async () => {
      const lines = (await textOf(path)).split('\n');
      return lines.flatMap((line, index) =>
        line.trim() === '' ? [] : [entryOf(path, line, index + 1)],
      );
    },
    append: (entry) => turn(() => appended(path, entry)),
  };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${path} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: path,
      },
    );
  }
}

function entryOf(path: string, line: string, number: number): CassetteEntry {
  try {
    return CassetteEntrySchema.parse(JSON.parse(line));
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `line ${number} of ${path} is no line of a cassette`,
      { cause: error, value: path },
    );
  }
}

async function appended(path: string, entry: CassetteEntry): Promise<void> {
  try {
    await makeFolders(dirname(path));
    await appendFile(path, `${JSON.stringify(entry)}\n`);
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `${path} cannot be written: ${messageOf(error)}`,
      { cause: error, value: path },
    );
  }
}
