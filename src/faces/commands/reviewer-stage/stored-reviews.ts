import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { engineErrors } from '../../../engine/errors.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { summaryPage } from '../../../products/reviewer-stage/stage-text.js';
import {
  type StageSummary,
  StageSummarySchema,
} from '../../../products/reviewer-stage/summary-generator.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import {
  checkedJson,
  type ListedRun,
  listRuns,
  readJson,
  runPath,
  writeJson,
} from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { summaryOfReport } from './file-summary.js';
import { readStageRequest, type StageRequest } from './stage-request.js';

/** A review of a diff or of files; both have a summary like those of the reviewer stage. */
export interface StoredReview {
  readonly report: RunReport;
  readonly summary: StageSummary;
  readonly request: StageRequest | undefined;
}

export type ListedReview =
  | StoredReview
  | {
      readonly broken: string;
      readonly runId: string;
      readonly state: 'running' | 'interrupted' | 'unreadable';
    };

export async function saveStageSummary(files: StoreFiles, given: StageSummary): Promise<void> {
  const earlier = await readSummary(files, given.runId).catch(() => undefined);
  // an answer replays the reviews, which takes no time
  const durationMs = Math.max(given.durationMs, earlier?.durationMs ?? 0);
  const summary = { ...given, durationMs };
  await writeJson(files, runPath(given.runId, 'summary.json'), summary);
  await files.write(runPath(given.runId, 'summary.md'), summaryPage(summary, sanitise));
}

/** The newest comes first. */
export async function listReviews(files: StoreFiles): Promise<ListedReview[]> {
  return Promise.all((await listRuns(files)).map((run) => listed(files, run)));
}

async function listed(files: StoreFiles, run: ListedRun): Promise<ListedReview> {
  if (run.kind !== 'report') {
    const { why, runId, kind } = run;
    return { broken: why, runId, state: kind === 'broken' ? 'unreadable' : kind };
  }
  try {
    return await reviewOf(files, run.report);
  } catch (error) {
    return {
      ...{ broken: messageOf(error), runId: run.report.runId, state: 'unreadable' },
    };
  }
}

/** Takes a run's id, a prefix of it, or a session; without an id, returns the last review. */
export async function findReview(
  store: StoreHandle,
  id: string | undefined,
): Promise<StoredReview> {
  return (
    (await lastReview(store, id)) ?? reviewOf(store.files, await findReviewed(store, id ?? ''))
  );
}

/** Looks at all sessions if none is given; `undefined` for a name that no session has. */
export async function lastReview(
  store: StoreHandle,
  session: string | undefined,
): Promise<StoredReview | undefined> {
  const all = await listReviews(store.files);
  const reviews = all.filter((review) => 'summary' in review);
  if (session !== undefined) return reviews.find(({ summary }) => summary.sessionId === session);
  const [last] = reviews;
  if (last !== undefined) return last;
  throw new ReviewLoopError(
    engineErrors.run_unknown,
    `no reviews of files or diffs in ${store.files.name}`,
  );
}

export async function reviewOf(files: StoreFiles, report: RunReport): Promise<StoredReview> {
  const request = await readStageRequest(files, report.runId);
  return {
    report,
    request,
    summary:
      request === undefined ? summaryOfReport(report) : await readSummary(files, report.runId),
  };
}

async function readSummary(files: StoreFiles, runId: string): Promise<StageSummary> {
  const path = runPath(runId, 'summary.json');
  return checkedJson(StageSummarySchema, await readJson(files, path), files.at(path));
}
