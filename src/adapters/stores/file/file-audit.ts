import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isReviewError, ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import { checkKeys, checkPositive, invalid } from '../../../core/options.js';
import { privateMode, syncFolder, writeDurably, writeWhole } from '../../../node/durable.js';
import { systemReason } from '../../../node/files.js';
import { type HeldLock, withLock } from '../../../node/lock.js';
import {
  AuditChain,
  type AuditEntry,
  type AuditMark,
  type AuditSink,
  auditLine,
  checkedEntry,
  nextRecord,
} from '../../../ports/audit-chain.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { portErrors } from '../../../ports/errors.js';
import { storeErrors } from '../errors.js';
import { type AuditPaths, auditPathsOf, markPathOf } from './run-paths.js';

export interface FileAuditOptions {
  /** Longest wait for the records of other processes, in milliseconds. @default 60000 */
  readonly waitMs?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/**
 * Creates an append-only log of decisions, `audit.jsonl` in the directory of a file store. Each
 * record contains the hash of the one before, so {@link verifyAudit} finds every record that was
 * changed, removed, added or moved. Any number of processes may write at the same time. A record
 * counts after it is flushed. Then the folder of its run stores its number and hash, which reveals
 * a truncated log.
 *
 * @throws ReviewLoopError `invalid_options`; `record` rejects with `audit_unwritable`,
 *   `audit_corrupt`, `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({
 *   ...options,
 *   store: fileStore('.reviewloop'),
 *   audit: fileAudit('.reviewloop'),
 * });
 * ```
 */
export function fileAudit(directory: string, options: FileAuditOptions = {}): AuditSink {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  checkKeys('fileAudit', options, ['waitMs', 'clock']);
  const { waitMs = 60_000, clock = systemClock } = options;
  checkPositive('waitMs', waitMs);
  const folder = resolve(directory);
  const turn = mutex();
  return {
    record: async (given) => {
      const entry = checkedEntry(given);
      return turn(() => record(folder, entry, { waitMs, clock }));
    },
  };
}

interface Settings {
  readonly waitMs: number;
  readonly clock: Clock;
}

async function record(
  directory: string,
  entry: AuditEntry,
  { waitMs, clock }: Settings,
): Promise<AuditMark> {
  const paths = auditPathsOf(directory);
  const busy = (): ReviewLoopError =>
    new ReviewLoopError(
      portErrors.audit_unwritable,
      `cannot write ${paths.log}: another process held its lock for ${waitMs} ms (waitMs)`,
      { value: paths.log, retryable: true },
    );
  try {
    return await withLock(paths.lock, { clock, waitMs, busy }, async (lock) => {
      const mark = await append(paths, entry, { lock, clock });
      if (entry.runId !== undefined)
        await writeMark(await markPathOf(directory, entry.runId), mark);
      return mark;
    });
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw new ReviewLoopError(
      portErrors.audit_unwritable,
      `cannot write ${paths.log}: ${systemReason(error)}`,
      { cause: error, value: paths.log },
    );
  }
}

/** As for appending, but also for reading. */
const readAppendFlags =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

async function append(
  { log }: AuditPaths,
  entry: AuditEntry,
  { lock, clock }: { readonly lock: HeldLock; readonly clock: Clock },
): Promise<AuditMark> {
  const handle = await open(log, readAppendFlags, privateMode);
  try {
    const { last, end, size } = await tailOf(handle, log);
    const record = nextRecord(entry, { last, at: new Date(clock.now()).toISOString() });
    if (!(await lock.isHeld())) throw new Error('another process took over its lock');
    // a record that a crash cut off never counted
    if (end < size) await handle.truncate(end);
    await writeWhole(handle, Buffer.from(`${auditLine(record)}\n`));
    await handle.datasync();
    if (size === 0) await syncFolder(dirname(log));
    return { seq: record.seq, hash: record.hash };
  } finally {
    await handle.close();
  }
}

/** Bytes read at a time from the end of the log. */
const step = 64 * 1024;

async function tailOf(
  handle: FileHandle,
  log: string,
): Promise<{ readonly last: AuditMark | undefined; readonly end: number; readonly size: number }> {
  const { size } = await handle.stat();
  let from = size;
  let tail = Buffer.alloc(0);
  while (from > 0) {
    const length = Math.min(step, from);
    from -= length;
    const bytes = Buffer.alloc(length);
    await handle.read(bytes, 0, length, from);
    tail = Buffer.concat([bytes, tail]);
    const end = tail.lastIndexOf(0x0a);
    const start = end > 0 ? tail.lastIndexOf(0x0a, end - 1) : -1;
    if (end === -1 || (start === -1 && from > 0)) continue;
    const last = markOf(tail.toString('utf8', start + 1, end));
    if (last === undefined)
      throw new ReviewLoopError(
        storeErrors.audit_corrupt,
        `the last record of ${log} was changed`,
        {
          value: log,
        },
      );
    return { last, end: from + end + 1, size };
  }
  return { last: undefined, end: 0, size };
}

/** Checks the hash of the line, but not its place in the chain. */
function markOf(line: string): AuditMark | undefined {
  const { record, problems } = new AuditChain().next(line);
  return record === undefined || problems.some(({ problem }) => problem === 'changed')
    ? undefined
    : { seq: record.seq, hash: record.hash };
}

async function writeMark(path: string, mark: AuditMark): Promise<void> {
  const hasFolder = await stat(dirname(path)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (hasFolder) await writeDurably(path, `${JSON.stringify(mark)}\n`);
}
