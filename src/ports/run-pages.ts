import { isReviewError } from '../core/errors.js';
import { checkAge, invalid } from '../core/options.js';
import { type Clock, systemClock } from './clock.js';
import type {
  JournalRecord,
  OrphanPage,
  OrphanQuery,
  OrphanRun,
  RunQuery,
  RunSummary,
  Store,
} from './store.js';

export function checkPageLimit(limit: unknown): void {
  if (limit !== undefined && (!Number.isInteger(limit) || Number(limit) < 1))
    throw invalid('limit', 'a whole number from 1', limit);
}

/** A page has the order of the ids, so that a run that changes its status keeps its place. */
export function pageOfRuns(
  runs: readonly RunSummary[],
  { status, pipeline, limit, after = '' }: RunQuery,
): readonly RunSummary[] {
  checkPageLimit(limit);
  const found = runs.filter(
    (run) =>
      (status === undefined || run.status === status) &&
      (pipeline === undefined || run.pipeline === pipeline) &&
      run.runId > after,
  );
  if (limit === undefined) return found.map((run) => ({ runId: run.runId, status: run.status }));
  return found
    .sort((a, b) => (a.runId < b.runId ? -1 : 1))
    .slice(0, limit)
    .map((run) => ({ ...run, cursor: run.runId }));
}

/** The status of a run, and at least its first and its last record. */
interface StoredRun {
  readonly status: string;
  readonly records: readonly JournalRecord[];
}

export function pageOfStored(
  runs: readonly (readonly [runId: string, run: StoredRun])[],
  query: RunQuery,
): readonly RunSummary[] {
  return pageOfRuns(
    runs.map(([runId, { status, records }]) => {
      const [first] = records;
      const last = records.at(-1);
      return {
        runId,
        status,
        ...(first?.type === 'run' && { pipeline: first.pipeline, startedAt: first.at }),
        ...(last?.type === 'end' && { code: last.code }),
      };
    }),
    query,
  );
}

/**
 * A store without `orphans` opens each running run for a moment.
 *
 * @param clock - Says how long ago the last record of a run was written.
 */
export async function orphansIn(
  store: Pick<Store, 'list' | 'open' | 'orphans' | 'read'>,
  query: OrphanQuery,
  clock: Clock = systemClock,
): Promise<OrphanPage> {
  if (store.orphans !== undefined) return store.orphans(query);
  const running = await store.list({ status: 'running' });
  return pageOfOrphans(running, query, async ({ runId }, olderThanMs) => {
    const records = (await store.read(runId)) ?? [];
    const [first] = records;
    const since = records.at(-1)?.at ?? 0;
    if (since > clock.now() - olderThanMs || !(await isLeft(store, runId))) return undefined;
    return {
      runId,
      pipeline: first?.type === 'run' ? first.pipeline : '',
      epoch: String(records.length),
    };
  });
}

/**
 * Looks at runs until the page is full.
 *
 * @param runs - Every running run.
 * @param look - Returns the run if nobody continues it.
 */
export async function pageOfOrphans<Run extends { readonly runId: string }>(
  runs: readonly Run[],
  query: OrphanQuery,
  look: (run: Run, olderThanMs: number) => Promise<OrphanRun | undefined>,
): Promise<OrphanPage> {
  const { limit, after = '', olderThanMs = 60_000 } = query;
  checkPageLimit(limit);
  checkAge('olderThanMs', olderThanMs);
  const left = runs
    .filter(({ runId }) => runId > after)
    .sort((a, b) => (a.runId < b.runId ? -1 : 1));
  const found: OrphanRun[] = [];
  for (const run of left) {
    const last = found.at(-1);
    const orphan = await look(run, olderThanMs);
    if (orphan === undefined) continue;
    if (found.length === limit && last !== undefined) return { runs: found, next: last.runId };
    found.push(orphan);
  }
  return { runs: found };
}

async function isLeft(store: Pick<Store, 'open'>, runId: string): Promise<boolean> {
  try {
    const journal = await store.open(runId, true);
    await journal.close();
    return true;
  } catch (error) {
    if (isReviewError(error) && error.code === 'run_busy') return false;
    throw error;
  }
}
