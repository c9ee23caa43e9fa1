import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { checkKeys, checkPositive, invalid } from '../../core/options.js';
import { makeFolders, syncFolder, writeDurably, writeWhole } from '../../node/durable.js';
import type { HeldLock } from '../../node/lock.js';
import { waitForLock } from '../../node/wait-for-lock.js';
import {
  AuditChain,
  type AuditEntry,
  type AuditMark,
  auditLine,
  checkedEntry,
  nextRecord,
} from '../../ports/audit-chain.js';
import type { AuditSink } from '../../ports/audit-sink.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { storeErrors } from '../errors.js';
import { type AuditPaths, auditPathsOf, markPathOf } from './audit-paths.js';

/** How an audit log is written. */
export interface FileAuditOptions {
  /** How long one record waits for the records of others. @default 60000 */
  readonly waitMs?: number | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
}

/**
 * An append-only log of decisions, `audit.jsonl` in the directory of a file store. Each record carries the hash of the one before,
 * so {@link verifyAudit} finds any record that was changed, dropped, added or moved. Any number of processes may write at the same
 * time. A record counts once it is flushed; the run that it belongs to then keeps its number and hash, which shows a log that was cut short.
 *
 * @throws ReviewLoopError `invalid_options`. `record`: `audit_unwritable`, `audit_corrupt`, `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, store: fileStore('.reviewloop'), audit: auditFile('.reviewloop') });
 * ```
 */
export function fileAudit(directory: string, options: FileAuditOptions = {}): AuditSink {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  checkKeys('auditFile', options, ['waitMs', 'clock']);
  const { waitMs = 60_000, clock = systemClock } = options;
  checkPositive('waitMs', waitMs);
  const folder = resolve(directory);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    record: async (given) => {
      const entry = checkedEntry(given);
      const recorded = turn.then(() => record(folder, entry, { waitMs, clock }));
      turn = recorded.catch(() => undefined);
      return recorded;
    },
  };
}

type Settings = { readonly waitMs: number; readonly clock: Clock };

async function record(
  directory: string,
  entry: AuditEntry,
  settings: Settings,
): Promise<AuditMark> {
  const paths = auditPathsOf(directory);
  try {
    await makeFolders(paths.lock);
    const lock = await lockOf(paths, settings);
    try {
      const mark = await append(paths, entry, { lock, clock: settings.clock });
      if (entry.runId !== undefined) await keepMark(markPathOf(directory, entry.runId), mark);
      return mark;
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw new ReviewLoopError(
      'audit_unwritable',
      `${paths.log} cannot be written: ${messageOf(error)}`,
      { cause: error, value: paths.log },
    );
  }
}

async function lockOf({ lock, log }: AuditPaths, { waitMs, clock }: Settings): Promise<HeldLock> {
  const held = await waitForLock(lock, { clock, waitMs });
  if (held === undefined)
    throw new ReviewLoopError('audit_unwritable', `${log} was in use for ${waitMs} ms`, {
      value: log,
      retryable: true,
    });
  return held;
}

async function append(
  { log }: AuditPaths,
  entry: AuditEntry,
  { lock, clock }: { readonly lock: HeldLock; readonly clock: Clock },
): Promise<AuditMark> {
  const handle = await open(log, 'a+', 0o600);
  try {
    const { last, end, size } = await tailOf(handle, log);
    const record = nextRecord(entry, { last, at: new Date(clock.now()).toISOString() });
    if (!(await lock.isHeld()))
      throw new Error('another process took over while this one was silent');
    // the rest of a write that was cut off, which never counted
    if (end < size) await handle.truncate(end);
    await writeWhole(handle, Buffer.from(`${auditLine(record)}\n`));
    await handle.datasync();
    if (size === 0) await syncFolder(dirname(log));
    return { seq: record.seq, hash: record.hash };
  } finally {
    await handle.close();
  }
}

const step = 64 * 1024;

/** The last record, and where what is whole ends. */
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
    const last = readable(tail.toString('utf8', start + 1, end));
    if (last === undefined)
      throw new ReviewLoopError(
        storeErrors.audit_corrupt,
        `the last record of ${log} is not one that was written`,
        { value: log },
      );
    return { last, end: from + end + 1, size };
  }
  return { last: undefined, end: 0, size };
}

/** The mark of a line that is whole in itself; its place in the chain is not looked at. */
function readable(line: string): AuditMark | undefined {
  const { record, problems } = new AuditChain().next(line);
  return record === undefined || problems.some(({ problem }) => problem === 'changed')
    ? undefined
    : { seq: record.seq, hash: record.hash };
}

/** Keeps the mark with the run, where the run is kept at all. */
async function keepMark(path: string, mark: AuditMark): Promise<void> {
  const isKept = await stat(dirname(path)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isKept) await writeDurably(path, `${JSON.stringify(mark)}\n`);
}
