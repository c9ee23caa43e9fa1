import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  boundedLine,
  LessonBook,
  type LessonRecord,
  lessonsOver,
  parseLine,
} from '../../../blocks/lessons/lesson-book.js';
import {
  type LessonOptions,
  type LessonSettings,
  lessonSettings,
  type ReadableLessonStore,
} from '../../../blocks/lessons/lesson-store.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import { invalid } from '../../../core/options.js';
import { privateMode, readAppendFlags } from '../../../node/durable.js';
import { makeFolder, unreadableFile, unwritableFile } from '../../../node/files.js';
import { bytesFrom, openIfThere } from '../../../node/plain-file.js';
import type { Logger } from '../../../ports/logger.js';
import { portTable } from '../../../ports/port-table.js';

export interface FileLessonsOptions extends LessonOptions {
  /**
   * Receives a warning if the file cannot be read; the run continues without lessons.
   *
   * @default silentLogger
   */
  readonly logger?: Logger | undefined;
}

/** POSIX appends up to this many in one piece, even to a pipe. */
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
  const read = lessonReader(path, settings);
  return lessonsOver(settings, {
    read,
    add: async (record) => {
      await read();
      await append(path, record);
    },
    ...{ logger: options.logger, name: { path } },
  });
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
    handle = await open(path, readAppendFlags, privateMode);
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is not a file');
    const torn = stat.size > 0 && (await bytesFrom(handle, stat.size - 1, stat.size))[0] !== 0x0a;
    const line = boundedLine(torn ? { ...record, torn } : record, maxLineBytes - 2);
    const bytes = Buffer.from(`${torn ? '\n' : ''}${line}\n`);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length)
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    await handle.datasync();
  } catch (error) {
    throw unwritableFile(path, error);
  } finally {
    await handle?.close();
  }
}

/** The bytes that are read at the end of a long file. */
const maxBytes = 4 * 1024 * 1024;

/** Reads each time only the lines that were appended since. */
function lessonReader(path: string, settings: LessonSettings): () => Promise<LessonBook> {
  const turn = mutex();
  let state = startAt(0, settings);
  const readFrom = async (handle: FileHandle, known: ReadState): Promise<LessonBook> => {
    const stat = await handle.stat({ bigint: true });
    const size = Number(stat.size);
    const file = `${stat.dev} ${stat.ino}`;
    const time = `${stat.mtimeNs} ${stat.ctimeNs}`;
    const addTo = async (to: ReadState): Promise<void> => {
      addLines(path, to, await bytesFrom(handle, to.offset, size));
      state = Object.assign(to, { file, size, time });
    };
    const wasAppended =
      file === known.file &&
      size - known.offset <= maxBytes &&
      (size > known.size || (size === known.size && time === known.time));
    const whole = startAt(Math.max(0, size - maxBytes), settings);
    // if the new lines do not fit, the whole file is read again
    await (wasAppended ? addTo(known).catch(() => addTo(whole)) : addTo(whole));
    return state.book;
  };
  return () =>
    turn(async () => {
      const known = state;
      state = startAt(0, settings);
      try {
        const handle = await openIfThere(path);
        if (handle === undefined) return state.book;
        try {
          return await readFrom(handle, known);
        } finally {
          await handle.close();
        }
      } catch (error) {
        throw error instanceof ReviewLoopError ? error : unreadableFile(path, error);
      }
    });
}

interface ReadState {
  readonly book: LessonBook;
  /** Whether the file has lines before the first one that is read. */
  readonly partial: boolean;
  offset: number;
  lines: number;
  file: string;
  size: number;
  time: string;
}

function startAt(offset: number, settings: LessonSettings): ReadState {
  return {
    book: new LessonBook(settings),
    ...{ partial: offset > 0, offset, lines: 0 },
    ...{ file: '', size: 0, time: '' },
  };
}

/** Adds the complete lines; the text after the last line feed is torn, or still being written. */
function addLines(path: string, state: ReadState, bytes: Buffer): void {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const startsInLine = state.partial && state.lines === 0;
  const parsed = lines.map((line, index) =>
    line === '' || (startsInLine && index === 0) ? undefined : parseLine(line),
  );
  for (const [index, record] of parsed.entries()) {
    if (record === undefined) continue;
    const next = parsed[index + 1];
    if (!('error' in record)) state.book.add(record);
    else if (next === undefined || 'error' in next || next.torn !== true) {
      const which = `line ${state.lines + index + 1}${state.partial ? ' of the last 4 MiB' : ''}`;
      throw new ReviewLoopError(record.error, `${which} of the lessons in ${path} ${record.what}`, {
        value: path,
      });
    }
  }
  state.lines += lines.length;
  state.offset += end;
}
