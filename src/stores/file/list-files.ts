import { mapBounded } from '../../core/map-bounded.js';
import { pageOfRuns } from '../../ports/run-pages.js';
import type { RunQuery, RunSummary } from '../../ports/store.js';
import { runHeader } from './run-header.js';
import { pathsOf } from './run-paths.js';
import { type ListedRun, listRuns } from './run-status.js';

/** Headers read in parallel. */
const width = 16;

/**
 * Returns the runs of a directory that a query asks for. It reads the end of each journal, and the
 * beginning of those that it shows, or of all if the query names a pipeline.
 *
 * @throws ReviewLoopError `invalid_options`, `file_unreadable`
 */
export async function listFiles(
  directory: string,
  query: RunQuery,
): Promise<readonly RunSummary[]> {
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
