import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isReviewError } from '../../../core/errors.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { isMissing } from '../../../node/durable.js';
import { unreadableFile } from '../../../node/files.js';
import { lastEpoch } from '../../../node/lock.js';
import { lastLine, openIfThere, readPlainText } from '../../../node/plain-file.js';
import { decodeLine, readJournal } from './read-journal.js';
import { isHashedName, pathsIn, type RunPaths, runIdOf, runsFolder } from './run-paths.js';

export interface ListedRun {
  readonly runId: string;
  /**
   * The status of its last end, or `running`; `corrupt` or `newer` if the journal is unreadable.
   */
  readonly status: string;
  readonly code?: string | undefined;
}

const EndSchema = z.object({
  type: z.literal('end'),
  status: z.string(),
  code: z.string().optional(),
});

const width = 16;

/** Reads only the end of each journal. */
export async function listRuns(directory: string): Promise<readonly ListedRun[]> {
  const folder = runsFolder(directory);
  const names = await folderNames(folder);
  const found = await mapBounded(names, width, (name) => listRun(join(folder, name), name));
  return found.filter((run) => run !== undefined);
}

export async function statusOf(paths: RunPaths, runId: string): Promise<string | undefined> {
  return (await lastEnd(paths, runId))?.status;
}

async function lastEnd(
  paths: RunPaths,
  runId: string,
): Promise<Omit<ListedRun, 'runId'> | undefined> {
  try {
    const last = await lastLineIn(paths.journal);
    if (last === undefined) return undefined;
    const decoded = decodeLine(last);
    if (decoded.kind !== 'line') return { status: decoded.kind };
    if (decoded.envelope.e >= (await lastEpoch(paths.folder))) return endIn(decoded.envelope.r);
    // a writer whose run had been taken over may have written the last line
    return endIn((await readJournal(paths, runId))?.records.at(-1) ?? {});
  } catch (error) {
    return { status: isReviewError(error) && error.code === 'journal_newer' ? 'newer' : 'corrupt' };
  }
}

async function listRun(folder: string, name: string): Promise<ListedRun | undefined> {
  const paths = pathsIn(folder);
  const runId = await idOf(paths, name);
  if (runId === undefined) return undefined;
  const end = await lastEnd(paths, runId);
  return end === undefined ? undefined : { runId, ...end };
}

export async function idOf(paths: RunPaths, name: string): Promise<string | undefined> {
  return isHashedName(name) ? readPlainText(paths.id).catch(() => name) : runIdOf(name);
}

function endIn(record: object): Omit<ListedRun, 'runId'> {
  const { data } = EndSchema.safeParse(record);
  return data === undefined ? { status: 'running' } : { status: data.status, code: data.code };
}

export async function folderNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw unreadableFile(folder, error);
  }
}

async function lastLineIn(path: string): Promise<Buffer | undefined> {
  const handle = await openIfThere(path);
  if (handle === undefined) return undefined;
  try {
    return (await lastLine(handle)).line;
  } finally {
    await handle.close();
  }
}
