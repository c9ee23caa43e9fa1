import type { StoredCall } from '../../cli-kit/flags/command.js';
import { runPath } from '../../reports/run-versions.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { metricsLines } from '../history-text.js';
import { stageMetrics } from '../stage-metrics.js';
import { summaryLines } from '../stage-text.js';
import { findReview, listReviews, type StoredReview } from './stored-reviews.js';

interface ShowSettings {
  readonly id: string | undefined;
  readonly format: 'text' | 'json';
}

/** Shows the summary of a review. */
export async function showSummary(
  { io, store }: StoredCall,
  { id, format }: ShowSettings,
): Promise<void> {
  const { summary, request, report } = await findReview(store, id);
  if (format === 'json') return io.out(`${terminalSafeJson(summary)}\n`);
  const page =
    request === undefined
      ? await store.files.read(runPath(report.runId, 'summary.md')).catch(() => undefined)
      : undefined;
  await io.out(
    page === undefined ? `${summaryLines(summary, sanitise).join('\n')}\n` : sanitise(page),
  );
}

/** Shows the figures of all stored reviews. */
export async function showMetrics(
  { io, store }: StoredCall,
  { format }: Pick<ShowSettings, 'format'>,
): Promise<void> {
  const reviews = await listReviews(store.files);
  const readable = reviews.filter((review): review is StoredReview => 'summary' in review);
  const metrics = stageMetrics(readable.map(({ summary }) => summary));
  const unreadable = reviews.length - readable.length;
  const data = {
    schemaVersion: 1,
    ...metrics,
    approvalRate: metrics.approvalRate ?? null,
    unreadable,
  };
  const lines = [
    ...metricsLines(metrics, sanitise),
    ...(unreadable > 0 ? [`  Unreadable: ${unreadable}`] : []),
  ];
  await io.out(format === 'json' ? `${terminalSafeJson(data)}\n` : `${lines.join('\n')}\n`);
}
