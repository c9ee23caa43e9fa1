import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { isReviewError } from '../../../core/errors.js';
import { mapBounded } from '../../../core/map-bounded.js';
import { checkTable, type OptionTable, whole } from '../../../core/options.js';
import { isMissing, syncFolder, writeDurably } from '../../../node/durable.js';
import { unwritableFile } from '../../../node/files.js';
import { type HeldLock, lastHolder, takeLock } from '../../../node/lock.js';
import { openPlainFile } from '../../../node/plain-file.js';
import { checkedFolder, makeIgnoredFolder } from '../../../node/store-file.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { type Logger, silentLogger } from '../../../ports/logger.js';
import { checkRunId, isRunId } from '../../../ports/run-id.js';
import { pageOfOrphans, pageOfRuns } from '../../../ports/run-pages.js';
import type {
  Journal,
  OrphanPage,
  OrphanQuery,
  RunQuery,
  RunSummary,
  Store,
} from '../../../ports/store.js';
import { pageOfWaiting, type SuspendedAt, waitingRun } from '../../../ports/waiting-runs.js';
import { runJournal } from '../run-journal.js';
import { checkPatience, leaseTable } from '../store-options.js';
import { runBusy } from '../stored-records.js';
import { fileRun } from './file-run.js';
import { decodeLine, type JournalContent, readJournal } from './read-journal.js';
import { isHashedName, pathsIn, pathsOf, type RunPaths, runsFolder } from './run-paths.js';
import { folderNames, idOf, type ListedRun, listRuns, statusOf } from './run-status.js';

export interface FileStoreOptions {
  /** Interval between heartbeats of an open journal, in milliseconds. @default 2000 */
  readonly heartbeatMs?: number | undefined;
  /**
   * Lease timeout in milliseconds: after that long without a heartbeat, another process may take
   * over the run. It must be above `heartbeatMs`.
   * @default 10000
   */
  readonly patienceMs?: number | undefined;
  /** Values of more bytes are stored in separate files; from 256. @default 65536 */
  readonly blobBytes?: number | undefined;
  /** Receives warnings about leftovers of a crash or a frozen writer. @default silent */
  readonly logger?: Logger | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

type Settings = {
  readonly [Name in keyof FileStoreOptions]-?: Exclude<FileStoreOptions[Name], undefined>;
} & { readonly directory: string };

/**
 * Creates a store of runs in a directory, so that they survive the process. Each run has an
 * append-only journal, with one writer at a time.
 *
 * @param directory - Created if it is missing, with a `.gitignore` that ignores everything in it.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, store: fileStore('.reviewloop') });
 * const outcome = await pipeline.run(task, { runId: 'article-7' }); // continues after a crash
 * ```
 */
export function fileStore(directory: string, options: FileStoreOptions = {}): Store {
  const settings = checked(directory, options);
  return {
    list: (query = {}) => listFiles(settings.directory, query),
    read: async (runId) => {
      if (!isRunId(runId)) return undefined;
      const content = await readJournal(await pathsOf(settings.directory, runId), runId);
      return content === undefined || content.records.length === 0 ? undefined : content.records;
    },
    open: async (runId) => openJournal(settings, runId),
    waiting: waitingFiles(settings.directory),
    orphans: (query) => orphanFiles(settings, query),
  };
}

const table: OptionTable<FileStoreOptions> = { ...leaseTable, blobBytes: whole(256) };

function checked(directory: string, options: FileStoreOptions): Settings {
  const folder = checkedFolder(directory);
  checkTable('fileStore', table, options);
  const {
    heartbeatMs = 2000,
    patienceMs = 10_000,
    blobBytes = 65_536,
    logger = silentLogger,
    clock = systemClock,
  } = options;
  checkPatience(patienceMs, heartbeatMs);
  return { directory: folder, heartbeatMs, patienceMs, blobBytes, logger, clock };
}

async function openJournal(settings: Settings, runId: string): Promise<Journal> {
  checkRunId(runId);
  const paths = await pathsOf(settings.directory, runId);
  const lock = await lockRun(settings, runId, paths);
  try {
    if (isHashedName(basename(paths.folder)))
      await writeDurably(paths.id, runId).catch((error: unknown) => {
        throw unwritableFile(paths.id, error);
      });
    const content = await readJournal(paths, runId);
    if (content !== undefined) await repair(settings, { runId, paths }, content);
    const records = content?.records ?? [];
    return runJournal(fileRun({ ...settings, paths, lock, isNew: records.length === 0 }), records);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockRun(settings: Settings, runId: string, paths: RunPaths): Promise<HeldLock> {
  let lock: HeldLock | undefined;
  try {
    lock = await retryWhenRemoved(async () => {
      await makeRunFolder(settings.directory, paths);
      return takeLock(paths.folder, settings);
    });
  } catch (error) {
    throw unwritable(paths.folder, error);
  }
  if (lock === undefined) throw runBusy(runId, paths.folder);
  return lock;
}

/** Retries if the folder was pruned after it was created and before it was locked. */
async function retryWhenRemoved<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let left = 5; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error) || left === 0) throw error;
    }
  }
}

async function makeRunFolder(directory: string, paths: RunPaths): Promise<void> {
  const runs = runsFolder(directory);
  const made = await makeIgnoredFolder(directory, paths.folder);
  if (made === undefined) return;
  await syncFolder(runs);
  if (made !== paths.folder) await syncFolder(directory);
}

async function repair(
  { logger, clock }: Settings,
  { runId, paths }: { readonly runId: string; readonly paths: RunPaths },
  { tail, wholeBytes, fenced }: JournalContent,
): Promise<void> {
  if (fenced > 0)
    logger.warn(
      { run: runId, lines: fenced, file: paths.journal },
      'lines of a writer whose run was taken over are ignored',
    );
  if (tail.length === 0) return;
  const tailFile = join(paths.folder, `journal.tail-${clock.now()}`);
  try {
    await writeDurably(tailFile, tail);
    const handle = await open(paths.journal, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      await handle.truncate(wholeBytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unwritable(paths.journal, error);
  }
  logger.warn(
    { run: runId, bytes: tail.length, file: tailFile },
    'an unfinished record was moved to a separate file',
  );
}

function unwritable(path: string, error: unknown): unknown {
  if (isReviewError(error)) return error;
  return unwritableFile(path, error);
}

const width = 16;

/**
 * Reads the end of each journal, and the beginning of those that it shows, or of all if the query
 * names a pipeline.
 */
async function listFiles(directory: string, query: RunQuery): Promise<readonly RunSummary[]> {
  const { status, pipeline, limit, after } = query;
  const runs = (await listRuns(directory)).filter(
    (run) => status === undefined || run.status === status,
  );
  if (limit === undefined && pipeline === undefined) return pageOfRuns(runs, {});
  const few = pipeline === undefined ? pageOfRuns(runs, { limit, after }) : runs;
  const found = await mapBounded(few, width, (run) => withHeader(directory, run));
  return pageOfRuns(found, query);
}

async function withHeader(directory: string, run: ListedRun): Promise<RunSummary> {
  const header = await runHeader((await pathsOf(directory, run.runId)).journal);
  return {
    ...run,
    ...(header !== undefined && { pipeline: header.pipeline, startedAt: header.at }),
  };
}

/** They are running, and nobody holds their lock. */
async function orphanFiles(
  options: { readonly directory: string; readonly clock: Clock; readonly patienceMs: number },
  query: OrphanQuery,
): Promise<OrphanPage> {
  const { directory, clock } = options;
  const running = (await listRuns(directory)).filter(({ status }) => status === 'running');
  return pageOfOrphans(running, query, async ({ runId }, olderThanMs) => {
    const paths = await pathsOf(directory, runId);
    const holder = await lastHolder(paths.folder, options);
    if (holder?.state === 'held') return undefined;
    if ((holder?.releasedAt ?? 0) > clock.now() - olderThanMs) return undefined;
    return {
      runId,
      pipeline: (await runHeader(paths.journal))?.pipeline ?? '',
      epoch: String(holder?.epoch ?? 0),
    };
  });
}

const HeaderSchema = z.object({ type: z.literal('run'), pipeline: z.string(), at: z.number() });

/** Reads the first line; `undefined` if it is unreadable. */
async function runHeader(journal: string): Promise<z.infer<typeof HeaderSchema> | undefined> {
  const decoded = decodeLine(await firstLine(journal).catch(() => Buffer.alloc(0)));
  return decoded.kind === 'line' ? HeaderSchema.safeParse(decoded.envelope.r).data : undefined;
}

async function firstLine(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await openPlainFile(path)).createReadStream()) {
    const bytes = Buffer.from(chunk as Buffer);
    const end = bytes.indexOf(10);
    chunks.push(end === -1 ? bytes : bytes.subarray(0, end));
    if (end !== -1) break;
  }
  return Buffer.concat(chunks);
}

const foldersAtOnce = 64;

/**
 * The time of a run is the last change of its journal, so that a page reads no more journals than
 * it shows. A run with a broken journal is left out.
 */
function waitingFiles(directory: string): NonNullable<Store['waiting']> {
  /** By run: the time and the size of a journal whose run did not wait then. */
  const ended = new Map<string, string>();
  return async (query) => {
    const runs = await changedRuns(directory);
    const marks = new Map(runs.map(({ runId, mark }) => [runId, mark]));
    const open = runs.filter(({ runId, mark }) => ended.get(runId) !== mark);
    return pageOfWaiting(open, query, async (runId) => {
      const paths = await pathsOf(directory, runId);
      const status = await statusOf(paths, runId);
      if (status === 'suspended') {
        const content = await readJournal(paths, runId).catch(() => undefined);
        return waitingRun(runId, content?.records ?? []);
      }
      ended.set(runId, marks.get(runId) ?? '');
      return undefined;
    });
  };
}

interface ChangedRun extends SuspendedAt {
  readonly mark: string;
}

async function changedRuns(directory: string): Promise<ChangedRun[]> {
  const folder = runsFolder(directory);
  const names = await folderNames(folder);
  return (await mapBounded(names, foldersAtOnce, (name) => changed(folder, name))).flat();
}

async function changed(folder: string, name: string): Promise<ChangedRun[]> {
  const paths = pathsIn(join(folder, name));
  const [runId, stats] = await Promise.all([
    idOf(paths, name),
    stat(paths.journal).catch(() => undefined),
  ]);
  if (runId === undefined || stats === undefined) return [];
  return [{ runId, at: stats.mtimeMs, mark: `${stats.mtimeMs}:${stats.size}` }];
}
