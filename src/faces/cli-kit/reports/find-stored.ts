import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import { engineErrors } from '../../../engine/errors.js';
import type { StoreFiles } from '../../../node/store-file.js';
import type { RunSummary, WaitingRun } from '../../../ports/store.js';
import { findRun, hasReport, runIds, withId } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { cliErrors } from '../errors.js';
import type { StoreHandle, StoreTables } from '../store-handle.js';

export type FoundRun =
  | { readonly kind: 'report'; readonly report: RunReport }
  | { readonly kind: 'other'; readonly run: OtherRun };

/** Takes an id or a unique prefix of it, whichever pipeline it belongs to. */
export async function findStored(store: StoreHandle, id: string): Promise<FoundRun> {
  const own = await runIds(store.files);
  const others = own.includes(id) || id === '' ? [] : await otherRuns(store);
  const ids = [...own, ...others.map(({ runId }) => runId)];
  const runId = oneWithId(ids, id, store.files.name);
  const run = others.find((other) => other.runId === runId);
  if (run !== undefined) return { kind: 'other', run };
  return { kind: 'report', report: await findRun(store.files, runId) };
}

function oneWithId(ids: readonly string[], id: string, where: string): string {
  const [found, ...more] = withId(ids, id, (one) => one);
  if (found !== undefined && more.length === 0) return found;
  throw new ReviewLoopError(
    engineErrors.run_unknown,
    found === undefined
      ? `no run ${id} in ${where}`
      : `${plural(more.length + 1, 'run')} in ${where} start with ${id}; pass more of the id`,
    { value: id },
  );
}

/** Takes an id or a unique prefix of it. */
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

export function ownerOf({ pipeline }: Pick<OtherRun, 'pipeline'>): string {
  return pipeline === undefined ? 'a pipeline that cannot be read' : `pipeline \`${pipeline}\``;
}

/** No command started it, so it has no report. */
export type OtherRun = Omit<RunSummary, 'cursor'>;

const page = 10_000;

/** No command started them. */
export async function otherRuns(store: StoreHandle): Promise<readonly OtherRun[]> {
  const own = new Set(await runIds(store.files));
  return (await allRuns(store)).filter(({ runId }) => !own.has(runId));
}

export async function allRuns({ runs, exists }: StoreHandle): Promise<readonly OtherRun[]> {
  if (!exists()) return [];
  const found: OtherRun[] = [];
  let after: string | undefined;
  for (;;) {
    const some = await runs.list({ limit: page, ...(after !== undefined && { after }) });
    found.push(...some.map(({ cursor, ...run }) => run));
    after = some.at(-1)?.cursor;
    if (some.length < page || after === undefined) return found;
  }
}

/**
 * `undefined` if commands can answer it.
 *
 * @param isTask - Returns whether a run is that of a task.
 */
export async function answeredElsewhere(
  files: StoreFiles,
  run: Pick<WaitingRun, 'runId' | 'pipeline'>,
  isTask: (runId: string) => Promise<boolean>,
): Promise<string | undefined> {
  const { runId } = run;
  if ((await hasReport(files, runId)) || (await isTask(runId))) return undefined;
  return (
    `Asked by ${ownerOf(run)}: answer it where that pipeline runs, with \`pipeline.answer\` ` +
    'or an inbox of its own (`serveInbox`).'
  );
}

const score = z.number().nullable();

const ReviewRowSchema = z.object({
  iteration: z.number(),
  version: z.string(),
  complete: z.number().transform((given) => given !== 0),
  quality: score,
  completeness: score,
  correctness: score,
  overall: score,
  judged: z.number(),
  total: z.number(),
  decision: z.string(),
  reason: z.string(),
  at: z.string(),
  gaps: z.number(),
});

/** A row in the tables of a database; `gaps` counts those that it left open. */
export type RecordedReview = z.infer<typeof ReviewRowSchema>;

function queryOf({ schema, value }: StoreTables): string {
  return `SELECT r.iteration, r.version, r.complete, r.quality, r.completeness, r.correctness,
      r.overall, r.judged, r.total, r.decision, r.reason, r.at,
      (SELECT CAST(count(*) AS integer) FROM ${schema}gaps g
       WHERE g.run_id = r.run_id AND g.iteration = r.iteration AND g.fixed = 0) AS gaps
    FROM ${schema}reviews r WHERE r.run_id = ${value} ORDER BY r.iteration`;
}

/**
 * They are in the tables of a database. `undefined` for a folder: its journals contain no reviews.
 */
export async function recordedReviews(
  { tables }: StoreHandle,
  runId: string,
): Promise<readonly RecordedReview[] | undefined> {
  if (tables === undefined) return undefined;
  const rows = await tables.query(queryOf(tables), runId);
  return z.array(ReviewRowSchema).parse(rows);
}
