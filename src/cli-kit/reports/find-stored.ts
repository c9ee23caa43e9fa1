import { ReviewLoopError } from '../../core/errors.js';
import { engineErrors } from '../../engine/errors.js';
import { findRun, runIds } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { cliErrors } from '../errors.js';
import type { StoreHandle } from '../store-handle.js';
import { type OtherRun, otherRuns } from './other-runs.js';

/** A run that a command started, with its report. */
export interface ReviewedRun {
  readonly kind: 'report';
  readonly report: RunReport;
}

/** A run of a store: one of a command, or one of another pipeline. */
export type FoundRun = ReviewedRun | { readonly kind: 'other'; readonly run: OtherRun };

/**
 * Finds the run with an id, or with a unique prefix of it, whichever pipeline it belongs to.
 *
 * @throws ReviewLoopError `run_unknown`, `run_busy`, `run_interrupted`, `file_unreadable`
 */
export async function findStored(store: StoreHandle, id: string): Promise<FoundRun> {
  const own = await runIds(store.files);
  if (!own.includes(id)) {
    const others = id === '' ? [] : await otherRuns(store);
    const exact = others.find(({ runId }) => runId === id);
    if (exact !== undefined) return { kind: 'other', run: exact };
    const [first, ...more] = others.filter(({ runId }) => runId.startsWith(id));
    const alike = own.filter((runId) => runId.startsWith(id)).length + more.length;
    if (first !== undefined && alike > 0)
      throw new ReviewLoopError(
        engineErrors.run_unknown,
        `${alike + 1} runs in ${store.files.name} start with ${id}; pass more of the id`,
        { value: id },
      );
    if (first !== undefined) return { kind: 'other', run: first };
  }
  return { kind: 'report', report: await findRun(store.files, id) };
}

/**
 * Finds a run that a command started, by its id or a unique prefix of it.
 *
 * @throws ReviewLoopError `run_elsewhere` for a run of another pipeline, `run_unknown`,
 *   `run_busy`, `run_interrupted`, `file_unreadable`
 */
export async function findReviewed(store: StoreHandle, id: string): Promise<RunReport> {
  const found = await findStored(store, id);
  if (found.kind === 'report') return found.report;
  const { runId, status } = found.run;
  throw new ReviewLoopError(
    cliErrors.run_elsewhere,
    `run ${runId} (${status}) belongs to ${ownerOf(found.run)}, which no command can run`,
    { value: runId },
  );
}

/** Returns the pipeline of a run, in words. */
export function ownerOf({ pipeline }: Pick<OtherRun, 'pipeline'>): string {
  return pipeline === undefined ? 'a pipeline that cannot be read' : `pipeline \`${pipeline}\``;
}
