import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { mutex } from '../core/mutex.js';
import { invalid } from '../core/options.js';
import { nodeErrors } from '../node/errors.js';
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

/** How a file of lessons is kept and told. */
export interface FileLessonsOptions extends LessonOptions {
  /** Hears of a file that cannot be read; the run then goes on without lessons. @default silent */
  readonly logger?: Logger | undefined;
}

/** The longest line, its line feed included: what POSIX lets one write append in one piece even to a pipe. */
const longestLine = 4096;
/** How much of the end of a file is read at once. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Keeps lessons in a file of JSON lines that any number of processes write to at the same time. A line is appended in one
 * write and flushed; no line is ever changed or moved, so nothing that another process appends can be lost. What the
 * options bound is what is read: repetitions count as one, and of a long file the last 4 MiB are read.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, learn: fileLessons('.reviewloop/lessons.jsonl') });
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
          'lessons could not be read; the run goes on without them',
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

/** Reads what a file has more than at the last reading; all of it when it was replaced or cut. */
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

  /** @throws ReviewLoopError `file_unreadable`; `journal_corrupt` or `journal_newer`, naming the line */
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
        take(this.#path, reading, await bytesFrom(handle, reading.offset, size));
      this.#read = Object.assign(reading, { file, size, time });
      return reading.book;
    } catch (error) {
      throw error instanceof ReviewLoopError
        ? error
        : unreadable(this.#path, messageOf(error), error);
    } finally {
      await handle.close();
    }
  }

  /** What is known and what came after it; `undefined` when the two do not fit, so that the file is read from its beginning. */
  async #continued(handle: FileHandle, known: Reading, size: number): Promise<Reading | undefined> {
    try {
      take(this.#path, known, await bytesFrom(handle, known.offset, size));
      return known;
    } catch {
      return undefined;
    }
  }
}

/** How far a file was read. */
interface Reading {
  readonly book: LessonBook;
  /** Whether the file has lines before the first one that is read. */
  readonly partial: boolean;
  /** Where the first line that has not been read begins. */
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unreadable(path, messageOf(error), error);
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

/** Takes in the lines that end in a line feed; what comes after the last one is torn, or still being written. */
function take(path: string, reading: Reading, bytes: Buffer): void {
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
 * Appends a record as one line in one write. A fragment that another writer left at the end is closed, and marked by this
 * record. A line that is still being written can look like one: then an empty line comes between, which readers pass over.
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
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `${path} cannot be written: ${messageOf(error)}`,
      { cause: error, value: path },
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

function unreadable(path: string, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(
    nodeErrors.file_unreadable,
    `the lessons in ${path} cannot be read: ${why}`,
    {
      cause,
      value: path,
    },
  );
}
