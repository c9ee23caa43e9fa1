import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  boundedLine,
  LessonBook,
  type LessonRecord,
  lessonRecord,
  parseLine,
} from '../../../blocks/lessons/lesson-book.js';
import {
  type LessonOptions,
  type LessonSettings,
  lessonSettings,
  type ReadableLessonStore,
} from '../../../blocks/lessons/lesson-store.js';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import { invalid } from '../../../core/options.js';
import { nodeErrors } from '../../../node/errors.js';
import { makeFolder } from '../../../node/files.js';
import { type Logger, silentLogger } from '../../../ports/logger.js';
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

/** The bytes that are read at the end of a long file. */
const maxBytes = 4 * 1024 * 1024;

/** Reads each time only the lines that were appended since. */
class LessonFileReader {
  readonly #path: string;
  readonly #settings: LessonSettings;
  readonly #turn = mutex();
  #state: ReadState;

  constructor(path: string, settings: LessonSettings) {
    this.#path = path;
    this.#settings = settings;
    this.#state = startAt(0, settings);
  }

  read(): Promise<LessonBook> {
    return this.#turn(() => this.#readNext());
  }

  async #readNext(): Promise<LessonBook> {
    const known = this.#state;
    this.#state = startAt(0, this.#settings);
    const handle = await openFile(this.#path);
    if (handle === undefined) return this.#state.book;
    try {
      const stat = await handle.stat({ bigint: true });
      if (!stat.isFile()) throw unreadable(this.#path, 'it is not a file');
      const size = Number(stat.size);
      const file = `${stat.dev} ${stat.ino}`;
      const time = `${stat.mtimeNs} ${stat.ctimeNs}`;
      const wasAppended =
        file === known.file &&
        size - known.offset <= maxBytes &&
        (size > known.size || (size === known.size && time === known.time));
      const state =
        (wasAppended && (await this.#continued(handle, known, size))) ||
        startAt(Math.max(0, size - maxBytes), this.#settings);
      if (state !== known) addLines(this.#path, state, await bytesFrom(handle, state.offset, size));
      this.#state = Object.assign(state, { file, size, time });
      return state.book;
    } catch (error) {
      throw error instanceof ReviewLoopError
        ? error
        : unreadable(this.#path, messageOf(error), error);
    } finally {
      await handle.close();
    }
  }

  /** Adds the new lines; `undefined` if they do not fit, so that the whole file is read again. */
  async #continued(
    handle: FileHandle,
    known: ReadState,
    size: number,
  ): Promise<ReadState | undefined> {
    try {
      addLines(this.#path, known, await bytesFrom(handle, known.offset, size));
      return known;
    } catch {
      return undefined;
    }
  }
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
    partial: offset > 0,
    offset,
    lines: 0,
    file: '',
    size: 0,
    time: '',
  };
}

async function openFile(path: string): Promise<FileHandle | undefined> {
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
