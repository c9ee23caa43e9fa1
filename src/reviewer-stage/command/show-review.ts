import type { metricsFlags, showFlags } from '../../cli/runs/runs-flags.js';
import { showOtherRun } from '../../cli/runs/show-other-run.js';
import { showRun } from '../../cli/runs/show-runs.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { systemClock } from '../../ports/clock.js';
import { runPath } from '../../reports/run-versions.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { metricsLines, reviewShowLines } from '../history-text.js';
import { stageMetrics } from '../stage-metrics.js';
import { summaryLines } from '../stage-text.js';
import { findReview, listReviews, otherRun, type StoredReview } from './stored-reviews.js';

type ShowSettings = SettingsOf<typeof showFlags>;

/**
 * Shows a review, and returns the exit code. It shows levels for a diff, and the whole run for
 * files.
 */
export async function showReview(
  { io, store }: StoredCall,
  { id, format }: ShowSettings,
): Promise<number> {
  const other = id === undefined ? undefined : await otherRun(store, id);
  if (other !== undefined) {
    await showOtherRun(io, store, other, format);
    return 0;
  }
  const { request, report, summary } = await findReview(store, id);
  if (format === 'json')
    await io.out(`${terminalSafeJson(request === undefined ? report : summary)}\n`);
  else if (request === undefined) await showRun(io, store, report);
  else {
    const { status } = report;
    const lines = reviewShowLines(summary, { now: systemClock.now(), status }, sanitise);
    await io.out(`${lines.join('\n')}\n`);
  }
  return 0;
}

/** Shows the summary of a review, and returns the exit code. */
export async function showSummary(
  { io, store }: StoredCall,
  { id, format }: ShowSettings,
): Promise<number> {
  const { summary, request, report } = await findReview(store, id);
  if (format === 'json') {
    await io.out(`${terminalSafeJson(summary)}\n`);
    return 0;
  }
  const page =
    request === undefined
      ? await store.files.read(runPath(report.runId, 'summary.md')).catch(() => undefined)
      : undefined;
  await io.out(
    page === undefined ? `${summaryLines(summary, sanitise).join('\n')}\n` : sanitise(page),
  );
  return 0;
}

/** Shows the figures of all stored reviews, and returns the exit code. */
export async function showMetrics(
  { io, store }: StoredCall,
  { format }: SettingsOf<typeof metricsFlags>,
): Promise<number> {
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
  return 0;
}
