import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { engineErrors } from '../../../engine/errors.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import { levelOfScore } from '../../../products/reviewer-stage/quality-level.js';
import {
  ageText,
  metricsLines,
  stageMetrics,
} from '../../../products/reviewer-stage/stage-metrics.js';
import { summaryLines, summaryPage } from '../../../products/reviewer-stage/stage-text.js';
import {
  type StageSummary,
  StageSummarySchema,
} from '../../../products/reviewer-stage/summary-generator.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { listing } from '../../cli-kit/show/listing.js';
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
import { taskTitle } from '../../reports/run-words.js';
import { readStageRequest, type StageRequest } from './stage-request.js';

/** A review of a diff or of files; both have a summary like those of the reviewer stage. */
export interface StoredReview {
  readonly report: RunReport;
  readonly summary: StageSummary;
  readonly request: StageRequest | undefined;
}

type ListedReview =
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

/** Each criterion becomes a dimension. */
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
    goal: taskTitle(report),
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

/** `timed_out` if time alone kept reviewers from a verdict. */
export function endWord(
  { status }: Pick<RunReport, 'status'>,
  { outcome }: Pick<StageSummary, 'outcome'>,
): RunReport['status'] {
  return outcome === 'timed_out' ? outcome : status;
}

const outcomes: Partial<Record<RunReport['status'], StageSummary['outcome']>> = {
  approved: 'completed',
  accepted: 'completed',
  rejected: 'declined',
  exhausted: 'rejected',
  timed_out: 'timed_out',
  suspended: 'suspended',
  cancelled: 'cancelled',
  failed: 'failed',
};

function outcomeOf({ status, acceptance }: RunReport): StageSummary['outcome'] {
  if (status === 'accepted' && acceptance?.kind === 'override') return 'overridden';
  return outcomes[status] ?? 'escalated';
}

interface HistorySettings {
  readonly status: string | undefined;
  /** A time in milliseconds. */
  readonly since: number | undefined;
  readonly limit: number | undefined;
  readonly format: 'text' | 'json';
}

/** The newest comes first. */
export async function listHistory(
  { io, store }: StoredCall,
  { status, since, limit, format }: HistorySettings,
): Promise<number> {
  const all = await listReviews(store.files);
  const reviews = all
    .filter((review) => hasStatus(review, status) && isSince(review, since))
    .slice(0, limit);
  return tell(io, format, { data: { reviews: reviews.map(dataOf) }, lines: linesOf(io, reviews) });
}

function linesOf(io: Io, reviews: readonly ListedReview[]): string[] {
  if (reviews.length === 0) return ['no reviews of files or diffs'];
  const now = systemClock.now();
  const rows = reviews.map((review) =>
    'broken' in review
      ? [review.runId, review.state, review.broken]
      : [
          review.summary.sessionId,
          shownDecision(review),
          ageText(now - Date.parse(review.summary.completedAt)),
        ],
  );
  return listing(io, rows, ['Session', 'Decision', 'Time']);
}

function shownDecision({ summary: { decision, outcome }, report }: StoredReview): string {
  const end = endWord(report, { outcome });
  const plain =
    (decision === 'APPROVED' && outcome === 'completed') ||
    (decision === 'REJECTED' && outcome === 'rejected') ||
    decision.toLowerCase() === end;
  return plain ? decision : `${decision} (${end})`;
}

function dataOf(review: ListedReview): object {
  if ('broken' in review) return review;
  const { runId, sessionId, goal, decision, outcome, reasoning } = review.summary;
  const { levels, cycles, completedAt, durationMs, decidedBy } = review.summary;
  return {
    kind: review.request === undefined ? 'files' : 'diff',
    ...{ runId, sessionId, goal, status: review.report.status },
    ...{ decision, outcome, reasoning, levels, cycles },
    ...{ completedAt, durationMs, decidedBy },
  };
}

function hasStatus(review: ListedReview, status: string | undefined): boolean {
  if (status === undefined) return true;
  const wanted = status.toLowerCase();
  if ('broken' in review) return wanted === review.state;
  return [
    review.summary.decision.toLowerCase(),
    review.summary.outcome,
    review.report.status,
  ].includes(wanted);
}

function isSince(review: ListedReview, since: number | undefined): boolean {
  return (
    since === undefined ||
    (!('broken' in review) && Date.parse(review.summary.completedAt) >= since)
  );
}

interface ShowSettings {
  readonly id: string | undefined;
  readonly format: 'text' | 'json';
}

export async function showSummary(
  { io, store }: StoredCall,
  { id, format }: ShowSettings,
): Promise<number> {
  const { summary, request, report } = await findReview(store, id);
  const page =
    request === undefined
      ? await store.files.read(runPath(report.runId, 'summary.md')).catch(() => undefined)
      : undefined;
  const lines = page === undefined ? summaryLines(summary, sanitise) : [sanitise(page).trimEnd()];
  return tell(io, format, { data: summary, lines });
}

export async function showMetrics(
  { io, store }: StoredCall,
  { format }: Pick<ShowSettings, 'format'>,
): Promise<number> {
  const reviews = await listReviews(store.files);
  const readable = reviews.filter((review): review is StoredReview => 'summary' in review);
  const metrics = stageMetrics(readable.map(({ summary }) => summary));
  const unreadable = reviews.length - readable.length;
  const data = { ...metrics, approvalRate: metrics.approvalRate ?? null, unreadable };
  const lines = [
    ...metricsLines(metrics, sanitise),
    ...(unreadable > 0 ? [`  Unreadable: ${unreadable}`] : []),
  ];
  return tell(io, format, { data, lines });
}
