import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { mutex } from '../../core/mutex.js';
import { invalid } from '../../core/options.js';
import {
  type Cassette,
  type CassetteEntry,
  CassetteEntrySchema,
} from '../../model/middleware/cassette.js';
import { appendFlags, makeFolders, privateMode } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { unwritableFile } from '../../node/files.js';
import { readStored } from '../../node/store-file.js';

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
