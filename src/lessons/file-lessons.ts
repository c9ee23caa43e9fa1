import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { mutex } from '../core/mutex.js';
import { invalid } from '../core/options.js';
import { isMissing } from '../node/durable.js';
import { nodeErrors } from '../node/errors.js';
import { systemReason, unwritableFile } from '../node/file-errors.js';
import { makeFolder } from '../node/files.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import {
  LessonBook,
  type LessonOptions,
  type LessonSettings,
  lessonSettings,
} from './lesson-book.js';
import { boundedLine, type LessonRecord, lessonRecord, parseLine } from './lesson-record.js';
import type { ReadableLessonStore } from './readable-lesson-store.js';

/** Options of {@link fileLessons}. */
export interface FileLessonsOptions extends LessonOptions {
  /**
   * Receives a warning if the file cannot be read; the run continues without lessons.
   * @default silent
   */
  readonly logger?: Logger | undefined;
}

/** Longest line in bytes with its line feed: POSIX appends as much in one piece, even to a pipe. */
const longestLine = 4096;
/** Bytes read from the end of a file. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Creates a store that keeps lessons in a file of JSON lines. Any number of processes may write to
 * it: each line is appended in one write and flushed, and never changed or moved. The options limit
 * what is read, where repetitions count as one lesson. Of a long file the last 4 MiB are read.
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
  const settings = lessonSettings('fileLessons', options, ['logger']);
  const { logger = silentLogger } = options;
  const reader = new LessonReader(path, settings);
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
      const record = lessonRecord(run, settings.agentId ?? run.agentId);
      if (record === null) return;
      await reader.read();
      await append(path, record);
    },
  };
}

/** Reads the new lines of a file; all lines if it was replaced or cut off. */
class LessonReader {
  readonly #path: string;
  readonly #settings: LessonSettings;
  readonly #turn = mutex();
  #read: Reading;

  constructor(path: string, settings: LessonSettings) {
    this.#path = path;
    this.#settings = settings;
    this.#read = startAt(0, settings);
  }

  /**
   * @throws ReviewLoopError `file_unreadable`; `journal_corrupt` or `journal_newer`, with the line
   */
  read(): Promise<LessonBook> {
    return this.#turn(() => this.#next());
  }

  async #next(): Promise<LessonBook> {
    const known = this.#read;
    this.#read = startAt(0, this.#settings);
    const handle = await opened(this.#path);
    if (handle === undefined) return this.#read.book;
    try {
      const stat = await handle.stat({ bigint: true });
      if (!stat.isFile()) throw unreadable(this.#path, 'it is not a file');
      const size = Number(stat.size);
      const file = `${stat.dev} ${stat.ino}`;
      const time = `${stat.mtimeNs} ${stat.ctimeNs}`;
      const goesOn =
        file === known.file &&
        size - known.offset <= mostBytes &&
        (size > known.size || (size === known.size && time === known.time));
      const reading =
        (goesOn && (await this.#continued(handle, known, size))) ||
        startAt(Math.max(0, size - mostBytes), this.#settings);
      if (reading !== known)
        addLines(this.#path, reading, await bytesFrom(handle, reading.offset, size));
      this.#read = Object.assign(reading, { file, size, time });
      return reading.book;
    } catch (error) {
      throw error instanceof ReviewLoopError
        ? error
        : unreadable(this.#path, systemReason(error), error);
    } finally {
      await handle.close();
    }
  }

  /** Reads on after the known lines; `undefined` if the file does not continue them. */
  async #continued(handle: FileHandle, known: Reading, size: number): Promise<Reading | undefined> {
    try {
      addLines(this.#path, known, await bytesFrom(handle, known.offset, size));
      return known;
    } catch {
      return undefined;
    }
  }
}

/** The lines read so far, and the state of the file then. */
interface Reading {
  readonly book: LessonBook;
  /** Whether the file has lines before those read. */
  readonly partial: boolean;
  /** Offset of the first unread line, in bytes. */
  offset: number;
  lines: number;
  file: string;
  size: number;
  time: string;
}

function startAt(offset: number, settings: LessonSettings): Reading {
  return {
    book: new LessonBook(settings),
    partial: offset > 0,
    offset,
    lines: 0,
    file: '',
    size: 0,
    time: '',
  };
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, systemReason(error), error);
  }
}

async function bytesFrom(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Adds the lines that end in a line feed. The bytes after the last one are unfinished. */
function addLines(path: string, reading: Reading, bytes: Buffer): void {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const cutOff = reading.partial && reading.lines === 0;
  const parsed = lines.map((line, index) =>
    line === '' || (cutOff && index === 0) ? undefined : parseLine(line),
  );
  for (const [index, record] of parsed.entries()) {
    if (record === undefined) continue;
    const next = parsed[index + 1];
    if (!('error' in record)) reading.book.add(record);
    else if (next === undefined || 'error' in next || next.torn !== true) {
      const which = `line ${reading.lines + index + 1}${reading.partial ? ' of the last 4 MiB' : ''}`;
      throw new ReviewLoopError(record.error, `${which} of the lessons in ${path} ${record.what}`, {
        value: path,
      });
    }
  }
  reading.lines += lines.length;
  reading.offset += end;
}

/**
 * Appends a record as one line in one write. If the file ends with a fragment of another writer,
 * the line starts with a line feed and the record says so. If that writer was only slow, an empty
 * line results, which readers skip.
 */
async function append(path: string, record: LessonRecord): Promise<void> {
  await makeFolder(dirname(path));
  let handle: FileHandle | undefined;
  try {
    handle = await open(
      path,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK,
      0o600,
    );
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is not a file');
    const torn = stat.size > 0 && (await lastByte(handle, stat.size)) !== 0x0a;
    const line = boundedLine(torn ? { ...record, torn } : record, longestLine - 2, (text) =>
      Buffer.byteLength(text),
    );
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

async function lastByte(handle: FileHandle, size: number): Promise<number | undefined> {
  const byte = Buffer.alloc(1);
  const { bytesRead } = await handle.read(byte, 0, 1, size - 1);
  return bytesRead === 1 ? byte[0] : undefined;
}

function unreadable(path: string, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(
    nodeErrors.file_unreadable,
    `cannot read the lessons in ${path}: ${why}`,
    {
      cause,
      value: path,
    },
  );
}
