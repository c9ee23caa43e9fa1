import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../ports/store.js';
import { pageOfWaiting, type SuspendedAt, waitingRun } from '../../ports/waiting-runs.js';
import { readJournal } from './read-journal.js';
import { pathsIn, pathsOf, runsFolder } from './run-paths.js';
import { folderNames, idOf, statusOf } from './run-status.js';

/** How many folders are looked at at a time. */
const width = 64;

/**
 * Returns the `waiting` of a directory. The time of a run is the last change of its journal, so that
 * a page reads no more journals than it shows. A run with a broken journal is left out.
 */
export function waitingFiles(directory: string): NonNullable<Store['waiting']> {
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
  /** The time and the size of its journal. */
  readonly mark: string;
}

/** Returns every run with the time of its journal. */
async function changedRuns(directory: string): Promise<ChangedRun[]> {
  const folder = runsFolder(directory);
  const names = await folderNames(folder);
  const found: ChangedRun[] = [];
  for (let at = 0; at < names.length; at += width)
    found.push(
      ...(
        await Promise.all(names.slice(at, at + width).map((name) => changed(folder, name)))
      ).flat(),
    );
  return found;
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
