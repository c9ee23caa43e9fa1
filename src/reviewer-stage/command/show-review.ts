import { join, resolve } from 'node:path';
import { showOtherRun } from '../../cli/runs/show-other-run.js';
import { showRun } from '../../cli/runs/show-runs.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { storeFolder } from '../../cli-kit/store-folder.js';
import { readStoreFile } from '../../node/store-file.js';
import { systemClock } from '../../ports/clock.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { metricsLines, reviewShowLines } from '../history-text.js';
import { stageMetrics } from '../stage-metrics.js';
import { summaryLines } from '../stage-text.js';
import type { metricsFlags, showFlags } from './show-flags.js';
import { findReview, listReviews, otherRun, type StoredReview } from './stored-reviews.js';

type ShowSettings = SettingsOf<typeof showFlags>;

/**
 * Shows a review, and returns the exit code. It shows levels for a diff, and the whole run for
 * files.
 */
export async function showReview(io: Io, { id, format, store }: ShowSettings): Promise<number> {
  const folder = resolve(io.cwd, storeFolder(store));
  const other = id === undefined ? undefined : await otherRun(folder, id);
  if (other !== undefined) {
    await showOtherRun(io, folder, other, format);
    return 0;
  }
  const review = await findReview(folder, id);
  const { request, report, summary } = review;
  if (format === 'json')
    await io.out(`${terminalSafeJson(request === undefined ? report : summary)}\n`);
  else if (request === undefined) await showRun(io, folder, review);
  else {
    const { status } = report;
    const lines = reviewShowLines(summary, { now: systemClock.now(), status }, sanitise);
    await io.out(`${lines.join('\n')}\n`);
  }
  return 0;
}

/** Shows the summary of a review, and returns the exit code. */
export async function showSummary(io: Io, { id, format, store }: ShowSettings): Promise<number> {
  const { summary, request, folder } = await findReview(resolve(io.cwd, storeFolder(store)), id);
  if (format === 'json') {
    await io.out(`${terminalSafeJson(summary)}\n`);
    return 0;
  }
  const page =
    request === undefined
      ? await readStoreFile(join(folder, 'summary.md')).catch(() => undefined)
      : undefined;
  await io.out(
    page === undefined ? `${summaryLines(summary, sanitise).join('\n')}\n` : sanitise(page),
  );
  return 0;
}

/** Shows the figures of all stored reviews, and returns the exit code. */
export async function showMetrics(
  io: Io,
  { format, store }: SettingsOf<typeof metricsFlags>,
): Promise<number> {
  const reviews = await listReviews(resolve(io.cwd, storeFolder(store)));
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
