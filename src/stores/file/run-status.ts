import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isReviewError } from '../../core/errors.js';
import { isMissing } from '../../node/durable.js';
import { unreadableFile } from '../../node/file-errors.js';
import { lastEpoch } from '../../node/lock.js';
import { decodeLine } from './journal-line.js';
import { readJournal } from './read-journal.js';
import { isHashedName, runIdOf } from './run-names.js';
import { pathsIn, type RunPaths, runsFolder } from './run-paths.js';

/** A run in the list of a store. */
export interface ListedRun {
  readonly runId: string;
  /**
   * The status of its last end, or `running`; `corrupt` or `newer` if the journal is unreadable.
   */
  readonly status: string;
}

/** Runs read in parallel. */
const width = 16;

/** Bytes read first from the end of a journal. */
const tailBytes = 4096;

/**
 * Returns every run of a directory. Reads only the end of each journal.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function listRuns(directory: string): Promise<readonly ListedRun[]> {
  const names = await folderNames(runsFolder(directory));
  const found: ListedRun[] = [];
  for (let at = 0; at < names.length; at += width) {
    const some = await Promise.all(
      names
        .slice(at, at + width)
        .map(async (name) => listRun(join(runsFolder(directory), name), name)),
    );
    found.push(...some.filter((run) => run !== undefined));
  }
  return found;
}

/** Returns the status of one run; `undefined` if it has no record. */
export async function statusOf(paths: RunPaths, runId: string): Promise<string | undefined> {
  try {
    const last = await lastLine(paths.journal);
    if (last === undefined) return undefined;
    const decoded = decodeLine(last);
    if (decoded.kind !== 'line') return decoded.kind;
    if (decoded.envelope.e >= (await lastEpoch(paths.folder)))
      return statusAfter(decoded.envelope.r);
    // a writer whose run had been taken over may have written the last line
    return statusAfter((await readJournal(paths, runId))?.records.at(-1));
  } catch (error) {
    return isReviewError(error) && error.code === 'journal_newer' ? 'newer' : 'corrupt';
  }
}

async function listRun(folder: string, name: string): Promise<ListedRun | undefined> {
  const paths = pathsIn(folder);
  const runId = await idOf(paths, name);
  if (runId === undefined) return undefined;
  const status = await statusOf(paths, runId);
  return status === undefined ? undefined : { runId, status };
}

/** Returns the id of the run in a folder; `undefined` if the folder is not of a run. */
export async function idOf(paths: RunPaths, name: string): Promise<string | undefined> {
  return isHashedName(name) ? readFile(paths.id, 'utf8').catch(() => name) : runIdOf(name);
}

function statusAfter(
  record: { readonly type?: unknown; readonly status?: unknown } | undefined,
): string {
  return record?.type === 'end' && typeof record.status === 'string' ? record.status : 'running';
}

/** Returns the names of the folders in a folder. */
export async function folderNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw unreadableFile(folder, error);
  }
}

/** Returns the last complete line of a file; `undefined` without one. */
async function lastLine(path: string): Promise<Buffer | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    return await lastLineOf(handle, stats.size);
  } finally {
    await handle.close();
  }
}

async function lastLineOf(handle: FileHandle, size: number): Promise<Buffer | undefined> {
  for (let wanted = tailBytes; ; wanted *= 4) {
    const start = Math.max(0, size - wanted);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(size - start),
      0,
      size - start,
      start,
    );
    const end = buffer.subarray(0, bytesRead).lastIndexOf(10);
    const before = end <= 0 ? -1 : buffer.lastIndexOf(10, end - 1);
    if (before !== -1) return buffer.subarray(before + 1, end);
    if (start === 0) return end === -1 ? undefined : buffer.subarray(0, end);
  }
}
