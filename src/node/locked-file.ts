import { isReviewError, ReviewLoopError } from '../core/errors.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { isMissing, systemCode, writeDurably } from './durable.js';
import { nodeErrors } from './errors.js';
import { readTextFile, unwritableFile } from './files.js';
import { withLock } from './lock.js';

export interface FileFormat<Value> {
  /** Throws if the text is not valid. */
  readonly parse: (text: string) => Value;
  readonly malformed: (why: string) => Error;
  /** Largest size of the file, in bytes. */
  readonly maxBytes: number;
  /** Name of the file in messages. @default its path */
  readonly shown?: string | undefined;
}

export interface LockedFileOptions<Value> extends FileFormat<Value> {
  readonly format: (value: Value) => string;
  /** Folder of the lock. Nothing else may use it, and it is never the file itself. */
  readonly lock: string;
  /** Whether a new file is meant for others, and its mode depends on the umask. @default false */
  readonly shared?: boolean | undefined;
  /** Longest wait for the lock, in milliseconds. */
  readonly waitMs: number;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/** A file that any number of processes change, one after another. */
export interface LockedFile<Value> {
  /** Does not take the lock; `undefined` if the file does not exist. */
  readonly read: () => Promise<Value | undefined>;
  /**
   * Takes the lock, reads, changes and writes. A crash leaves the old file or the new one. If
   * `change` returns the same value, nothing is written.
   *
   * @returns The value as it can be read back.
   */
  readonly update: (change: (value: Value | undefined) => Value | Promise<Value>) => Promise<Value>;
}

/** A change is durable when it resolves. */
export function lockedFile<Value>(
  path: string,
  options: LockedFileOptions<Value>,
): LockedFile<Value> {
  const { lock, waitMs, shown = path, clock = systemClock } = options;
  const busy = (): ReviewLoopError =>
    new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot write ${shown}: another process held its lock for ${waitMs} ms (waitMs)`,
      { value: path, retryable: true },
    );
  return {
    read: () => readParsed(path, options),
    update: async (change) => {
      try {
        return await withLock(lock, { clock, waitMs, busy }, async (held) => {
          const before = await readParsed(path, options);
          const next = await change(before);
          if (next === before) return next;
          const { text, value } = checkedText(next, options, shown);
          if (!(await held.isHeld()))
            throw unwritableFile(shown, 'another process took over its lock');
          await writeDurably(path, text, { shared: options.shared });
          return value;
        });
      } catch (error) {
        if (isReviewError(error) || systemCode(error) === undefined) throw error;
        throw unwritableFile(shown, error);
      }
    },
  };
}

/** `undefined` if the file does not exist. */
export async function readParsed<Value>(
  path: string,
  { parse, malformed, maxBytes, shown = path }: FileFormat<Value>,
): Promise<Value | undefined> {
  const content = await readTextFile(path, { shown, maxBytes }).catch((error: unknown) => {
    if (error instanceof ReviewLoopError && isMissing(error.cause)) return undefined;
    throw error;
  });
  if (content === undefined) return undefined;
  if (content.kind !== 'text') throw malformed('it is not UTF-8 text');
  return parse(content.text);
}

function checkedText<Value>(
  next: Value,
  { format, parse, maxBytes }: LockedFileOptions<Value>,
  shown: string,
): { readonly text: string; readonly value: Value } {
  const text = format(next);
  const value = parse(text);
  if (Buffer.byteLength(text) > maxBytes)
    throw unwritableFile(shown, `it would be larger than ${maxBytes} bytes`);
  return { text, value };
}
