import { sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import {
  ageText,
  metricsLines,
  stageMetrics,
} from '../../../products/reviewer-stage/stage-metrics.js';
import { summaryLines } from '../../../products/reviewer-stage/stage-text.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { listing } from '../../cli-kit/show/listing.js';
import { runPath } from '../../reports/run-folder.js';
import { endWord } from './file-summary.js';
import { findReview, type ListedReview, listReviews, type StoredReview } from './stored-reviews.js';

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
