import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import { LessonBook, type LessonOptions, type LessonSettings, lessonSettings } from '../kernel/lesson-book.js';
import { boundedLine, type LessonRecord, lessonRecord, parseLine } from '../kernel/lesson-record.js';
import { invalid } from '../kernel/options.js';
import type { LessonStore } from '../ports/lesson-store.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import { makeFolder } from '../system/files.js';

/** How a file of lessons is kept and told. */
export interface LessonFileOptions extends LessonOptions {
  /** Hears of a file that cannot be read; the run then goes on without lessons. @default silent */
  readonly logger?: Logger | undefined;
}

/** The longest line, its line feed included: what POSIX lets one write append in one piece even to a pipe. */
const longestLine = 4096;
/** How much of the end of a file is read. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Keeps lessons in a file of JSON lines that any number of processes write to at the same time. A line is appended in one
 * write and flushed; no line is ever changed or moved, so nothing that another process appends can be lost. What the
 * options bound is what is read: repetitions count as one, and of a long file the last 16 MiB are read.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, learn: lessonFile('.reviewloop/lessons.jsonl') });
 * ```
 */
export function lessonFile(path: string, options: LessonFileOptions = {}): LessonStore {
  if (typeof path !== 'string' || path === '') throw invalid('path', 'the path of a file', path);
  const settings = lessonSettings('lessonFile', options, ['logger']);
  const { logger = silentLogger } = options;
  const reader = new LessonReader(path, settings);
  return {
    relevantTo: async (task) => {
      try {
        return (await reader.read()).relevantTo(task);
      } catch (error) {
        logger.warn({ path, error: messageOf(error) }, 'lessons could not be read; the run goes on without them');
        return '';
      }
    },
    capture: async (run) => {
      const record = lessonRecord(run, settings.agentId);
      if (record === null) return;
      await reader.read();
      await append(path, record);
    },
  };
}

/** Reads a file of lessons again only when it has changed. */
class LessonReader {
  readonly #path: string;
  readonly #settings: LessonSettings;
  #seen = '';
  #book: LessonBook;

  constructor(path: string, settings: LessonSettings) {
    this.#path = path;
    this.#settings = settings;
    this.#book = new LessonBook(settings);
  }

  /** @throws ReviewLoopError `file_unreadable`; `journal_corrupt` or `journal_newer`, naming the line */
  async read(): Promise<LessonBook> {
    const handle = await opened(this.#path);
    if (handle === undefined) return new LessonBook(this.#settings);
    try {
      const stat = await handle.stat({ bigint: true });
      if (!stat.isFile()) throw unreadable(this.#path, 'it is not a file');
      const seen = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
      if (seen !== this.#seen) {
        this.#book = bookOf(this.#path, await tailOf(handle, Number(stat.size)), this.#settings);
        this.#seen = seen;
      }
      return this.#book;
    } catch (error) {
      throw error instanceof ReviewLoopError ? error : unreadable(this.#path, messageOf(error), error);
    } finally {
      await handle.close();
    }
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unreadable(path, messageOf(error), error);
  }
}

interface Tail {
  readonly lines: readonly string[];
  /** Whether the file has more before it. */
  readonly partial: boolean;
}

/** The lines of the end of a file that end in a line feed; what comes after the last one is torn, or still being written. */
async function tailOf(handle: FileHandle, size: number): Promise<Tail> {
  const bytes = Buffer.alloc(Math.min(size, mostBytes));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, size - bytes.length + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const lines = bytes.toString('utf8', 0, filled).split('\n').slice(0, -1);
  const partial = size > mostBytes;
  return { lines: partial ? lines.slice(1) : lines, partial };
}

function bookOf(path: string, { lines, partial }: Tail, settings: LessonSettings): LessonBook {
  const book = new LessonBook(settings);
  const parsed = lines.map((line) => (line === '' ? undefined : parseLine(line)));
  for (const [index, record] of parsed.entries()) {
    if (record === undefined) continue;
    const next = parsed[index + 1];
    if (!('code' in record)) book.add(record);
    else if (next === undefined || 'code' in next || next.torn !== true) {
      throw new ReviewLoopError(record.code, `line ${index + 1}${partial ? ' of the last 16 MiB' : ''} of the lessons in ${path} ${record.what}`, { value: path });
    }
  }
  return book;
}

/** Appends a record as one line in one write. A fragment that another writer left at the end is closed, and marked by this record. */
async function append(path: string, record: LessonRecord): Promise<void> {
  await makeFolder(dirname(path));
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK, 0o600);
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is not a file');
    const torn = stat.size > 0 && (await lastByte(handle, stat.size)) !== 0x0a;
    const line = boundedLine(torn ? { ...record, torn } : record, longestLine - 2, (text) => Buffer.byteLength(text));
    const bytes = Buffer.from(`${torn ? '\n' : ''}${line}\n`);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    await handle.datasync();
  } catch (error) {
    throw new ReviewLoopError('output_unwritable', `${path} cannot be written: ${messageOf(error)}`, { cause: error, value: path });
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
  return new ReviewLoopError('file_unreadable', `the lessons in ${path} cannot be read: ${why}`, { cause, value: path });
}
