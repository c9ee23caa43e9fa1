import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { invalid } from '../core/options.js';
import { nodeErrors } from '../node/errors.js';
import { makeFolder } from '../node/files.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import { portTable } from '../ports/port-table.js';
import { LessonFileReader } from './file-lesson-reader.js';
import { boundedLine, type LessonRecord, lessonRecord } from './lesson-record.js';
import { type LessonOptions, lessonSettings, type ReadableLessonStore } from './lesson-store.js';

export interface FileLessonsOptions extends LessonOptions {
  /**
   * Receives a warning if the file cannot be read; the run continues without lessons.
   *
   * @default silentLogger
   */
  readonly logger?: Logger | undefined;
}

/**
 * The greatest number of bytes of a line. POSIX appends up to this many in one piece, even to a
 * pipe.
 */
const maxLineBytes = 4096;

/**
 * Creates a lesson store in a file of JSON lines, which many processes may write at the same time.
 * Lines are only appended, never changed. Of a long file the last 4 MiB are read.
 *
 * @throws ReviewLoopError `invalid_options`. `lessons`: `file_unreadable`, `journal_corrupt`,
 * `journal_newer`. `capture`: these and `output_unwritable`
 * @example
 * ```ts
 * const learn = fileLessons('.reviewloop/lessons.jsonl');
 * const pipeline = definePipeline({ ...options, learn });
 * ```
 */
export function fileLessons(path: string, options: FileLessonsOptions = {}): ReadableLessonStore {
  if (typeof path !== 'string' || path === '') throw invalid('path', 'the path of a file', path);
  const settings = lessonSettings('fileLessons', options, { logger: portTable.logger });
  const { logger = silentLogger } = options;
  const reader = new LessonFileReader(path, settings);
  return {
    lessons: async () => (await reader.read()).lessons,
    relevantTo: async (task) => {
      try {
        return (await reader.read()).relevantTo(task);
      } catch (error) {
        logger.warn(
          { path, error: messageOf(error) },
          'lessons could not be read; the run continues without them',
        );
        return '';
      }
    },
    capture: async (run) => {
      const record = lessonRecord(run, settings);
      if (record === null) return;
      await reader.read();
      await append(path, record);
    },
  };
}

/**
 * Appends a record as one line in one write. If the file ends with a fragment of another writer,
 * this closes the fragment and marks it in the record. The fragment may still be being written:
 * then an empty line follows, which readers skip.
 */
async function append(path: string, record: LessonRecord): Promise<void> {
  await makeFolder(dirname(path));
  let handle: FileHandle | undefined;
  try {
    handle = await open(
      path,
      constants.O_RDWR |
        constants.O_APPEND |
        constants.O_CREAT |
        constants.O_NONBLOCK |
        constants.O_NOFOLLOW,
      0o600,
    );
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is not a file');
    const torn = stat.size > 0 && (await lastByte(handle, stat.size)) !== 0x0a;
    const line = boundedLine(torn ? { ...record, torn } : record, maxLineBytes - 2, (text) =>
      Buffer.byteLength(text),
    );
    const bytes = Buffer.from(`${torn ? '\n' : ''}${line}\n`);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length)
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    await handle.datasync();
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot write ${path}: ${messageOf(error)}`,
      {
        cause: error,
        value: path,
      },
    );
  } finally {
    await handle?.close();
  }
}

async function lastByte(handle: FileHandle, size: number): Promise<number | undefined> {
  const byte = Buffer.alloc(1);
  const { bytesRead } = await handle.read(byte, 0, 1, size - 1);
  return bytesRead === 1 ? byte[0] : undefined;
}
