import { findReviewed, findStored } from '../../cli-kit/reports/find-stored.js';
import type { OtherRun } from '../../cli-kit/reports/other-runs.js';
import { ReviewLoopError } from '../../core/errors.js';
import { engineErrors } from '../../engine/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { placeName } from '../../node/mounted-folder.js';
import { redactJson } from '../../redact/redact-json.js';
import { type ListedRun, listRuns } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import { sanitise } from '../../terminal/sanitise.js';
import { levelOfScore } from '../quality-level.js';
import { type StageSummary, StageSummarySchema } from '../summary-generator.js';
import { summaryPage } from '../summary-page.js';
import {
  readStageRequest,
  readSummaryFile,
  runFolder,
  type StageRequest,
  saveSummaryFiles,
} from './stage-request.js';

/** A stored review of a diff or of files, with a summary like those of the reviewer stage. */
export interface StoredReview {
  readonly report: RunReport;
  readonly folder: string;
  readonly summary: StageSummary;
  /** The request, for a review of a diff. */
  readonly request: StageRequest | undefined;
}

/** An entry of the list: a review, or the reason why it cannot be read. */
export type ListedReview =
  | StoredReview
  | {
      readonly broken: string;
      readonly runId: string;
      readonly state: 'running' | 'interrupted' | 'unreadable';
    };

/** Stores a summary beside its run. The stage has already removed secrets. */
export async function saveStageSummary(store: string, given: StageSummary): Promise<void> {
  const earlier = await readSummary(runFolder(store, given.runId)).catch(() => undefined);
  // an answer replays the reviews, which takes no time
  const durationMs = Math.max(given.durationMs, earlier?.durationMs ?? 0);
  const summary = { ...given, durationMs };
  await saveSummaryFiles(store, given.runId, {
    json: summary,
    page: summaryPage(summary, sanitise),
  });
}

/** Lists the reviews of a store, newest first. */
export async function listReviews(store: string): Promise<ListedReview[]> {
  return Promise.all((await listRuns(store)).map((run) => listed(store, run)));
}

function stateOf(
  kind: Exclude<ListedRun['kind'], 'report'>,
): 'running' | 'interrupted' | 'unreadable' {
  return kind === 'broken' ? 'unreadable' : kind;
}

async function listed(store: string, run: ListedRun): Promise<ListedReview> {
  if (run.kind !== 'report') return { broken: run.why, runId: run.runId, state: stateOf(run.kind) };
  try {
    return await reviewOf(run.report, runFolder(store, run.report.runId));
  } catch (error) {
    return {
      broken: error instanceof Error ? error.message : String(error),
      runId: run.report.runId,
      state: 'unreadable',
    };
  }
}

/**
 * Returns the review with a run's id, a prefix of it, or a session. Without an id, it returns the
 * last review.
 *
 * @throws ReviewLoopError `run_unknown`, `file_unreadable`
 */
export async function findReview(store: string, id: string | undefined): Promise<StoredReview> {
  const reviews = (await listReviews(store)).filter((review) => 'summary' in review);
  const [last] = reviews;
  if (id === undefined) {
    if (last === undefined)
      throw new ReviewLoopError(
        engineErrors.run_unknown,
        `no reviews of files or diffs in ${placeName(store)}`,
      );
    return last;
  }
  const ofSession = reviews.find(({ summary }) => summary.sessionId === id);
  if (ofSession !== undefined) return ofSession;
  const { report, folder } = await findReviewed(store, id);
  return reviewOf(report, folder);
}

/**
 * Returns the run of another pipeline with an id, or a prefix of it; `undefined` if a command
 * started it, or if there is none. A session is never such a run.
 */
export async function otherRun(store: string, id: string): Promise<OtherRun | undefined> {
  const reviews = await listReviews(store);
  if (reviews.some((review) => 'summary' in review && review.summary.sessionId === id)) return;
  const found = await findStored(store, id);
  return found.kind === 'other' ? found.run : undefined;
}

async function reviewOf(report: RunReport, folder: string): Promise<StoredReview> {
  const request = await readStageRequest(folder);
  return {
    report,
    folder,
    request,
    summary: request === undefined ? summaryOfReport(report) : await readSummary(folder),
  };
}

async function readSummary(folder: string): Promise<StageSummary> {
  const parsed = StageSummarySchema.safeParse(await readSummaryFile(folder));
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError(
    nodeErrors.file_unreadable,
    `${folder}/summary.json was not written by this version: ${parsed.error.issues[0]?.message ?? ''}`,
    { cause: parsed.error, value: folder },
  );
}

/** Returns the summary of a review of files: each criterion becomes a dimension. */
function summaryOfReport(report: RunReport): StageSummary {
  const best = report.reviews.find((review) => review.best) ?? report.reviews.at(-1);
  const dimensions = (best?.assessments ?? []).map(({ criterion, id, verdict, score, text }) => {
    const requirement = report.coverage.find((entry) => id !== undefined && entry.id === id);
    const name = requirement?.requirement ?? report.criteria.names[criterion] ?? criterion;
    const judged = verdict === 'pass' || verdict === 'fail';
    const issues = report.gaps
      .filter(({ criterionId }) => criterionId === criterion)
      .map(({ description }) => description);
    return {
      id: criterion,
      name,
      shortName: name,
      level: judged ? levelOfScore(score ?? 0) : null,
      ...(verdict !== 'pass' && verdict !== 'fail' && { verdict }),
      passed: verdict === 'pass',
      explanation: text,
      issues,
    };
  });
  return redactJson({
    schemaVersion: 1,
    runId: report.runId,
    sessionId: report.runId.slice(0, 13),
    goal: report.task.source,
    changes: report.changed.map((path) => ({ path, kind: 'modified' })),
    notes: dimensions.flatMap(({ name, issues }) => issues.map((issue) => `${name}: ${issue}`)),
    decision: decisionOf(report, dimensions),
    outcome: outcomeOf(report),
    reasoning: report.reason,
    levels: Object.fromEntries(dimensions.map(({ id, level }) => [id, level])),
    dimensions,
    cycleTriggers: report.reviews
      .slice(0, -1)
      .map(({ assessments }) =>
        assessments.filter(({ verdict }) => verdict === 'fail').map(({ criterion }) => criterion),
      ),
    usage: {},
    cycles: Math.max(0, report.reviews.length - 1),
    completedAt: new Date(Date.parse(report.at) + report.durationMs).toISOString(),
    durationMs: report.durationMs,
    decidedBy: report.acceptance?.by ?? 'the reviewers',
    ...(report.acceptance?.kind === 'override' && { overrideReason: report.acceptance.reason }),
  } satisfies StageSummary);
}

/** Only a judge that answered, or a person, rejects. */
function decisionOf(
  { approved, status }: RunReport,
  dimensions: StageSummary['dimensions'],
): StageSummary['decision'] {
  if (approved) return 'APPROVED';
  const rejected = dimensions.some(({ level, passed }) => level !== null && !passed);
  return rejected || status === 'rejected' ? 'REJECTED' : 'INCONCLUSIVE';
}

/** The word for the end of a run: its status, or `timed_out` if time alone kept reviewers from a verdict. */
export function endWord(
  { status }: Pick<RunReport, 'status'>,
  { outcome }: Pick<StageSummary, 'outcome'>,
): RunReport['status'] {
  return outcome === 'timed_out' ? outcome : status;
}

function outcomeOf({ status, acceptance }: RunReport): StageSummary['outcome'] {
  switch (status) {
    case 'approved':
      return 'completed';
    case 'accepted':
      return acceptance?.kind === 'override' ? 'overridden' : 'completed';
    case 'rejected':
      return 'declined';
    case 'timed_out':
    case 'suspended':
    case 'cancelled':
    case 'failed':
      return status;
    case 'exhausted':
      return 'rejected';
    default:
      return 'escalated';
  }
}
