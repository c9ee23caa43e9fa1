import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import { checkPositive, checkTable, type OptionTable } from '../../../core/options.js';
import {
  privateMode,
  readAppendFlags,
  syncFolder,
  writeDurably,
  writeWhole,
} from '../../../node/durable.js';
import { type HeldLock, withLock } from '../../../node/lock.js';
import { lastLine } from '../../../node/plain-file.js';
import { checkedFolder } from '../../../node/store-file.js';
import {
  type AuditEntry,
  type AuditMark,
  type AuditSink,
  auditLine,
  nextRecord,
} from '../../../ports/audit-chain.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { portErrors } from '../../../ports/errors.js';
import { portTable } from '../../../ports/port-table.js';
import { auditSink, lastMark } from '../audit-sink.js';
import { auditPathsOf, pathsOf, type RunPaths } from './run-paths.js';

export interface FileAuditOptions {
  /** Longest wait for the records of other processes, in milliseconds. @default 60000 */
  readonly waitMs?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

const table: OptionTable<FileAuditOptions> = { waitMs: checkPositive, clock: portTable.clock };

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
  const folder = checkedFolder(directory);
  checkTable('fileAudit', table, options);
  const { waitMs = 60_000, clock = systemClock } = options;
  const paths = auditPathsOf(folder);
  const turn = mutex();
  const busy = (): ReviewLoopError =>
    new ReviewLoopError(
      portErrors.audit_unwritable,
      `cannot write ${paths.log}: another process held its lock for ${waitMs} ms (waitMs)`,
      { value: paths.log, retryable: true },
    );
  return auditSink(paths.log, (entry) =>
    turn(() =>
      withLock(paths.lock, { clock, waitMs, busy }, async (lock) => {
        const mark = await append(paths.log, entry, { lock, clock });
        if (entry.runId !== undefined) await writeMark(await pathsOf(folder, entry.runId), mark);
        return mark;
      }),
    ),
  );
}

async function append(
  log: string,
  entry: AuditEntry,
  { lock, clock }: { readonly lock: HeldLock; readonly clock: Clock },
): Promise<AuditMark> {
  const handle = await open(log, readAppendFlags, privateMode);
  try {
    const { line, end, size } = await lastLine(handle);
    const last = line && lastMark(line.toString('utf8'), log);
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

async function writeMark({ folder, mark }: RunPaths, last: AuditMark): Promise<void> {
  const hasFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (hasFolder) await writeDurably(mark, `${JSON.stringify(last)}\n`);
}
