import type { ReviewReport, RunReport } from './run-report.js';

/**
 * Returns a report with the times of an earlier report of the same run. An answer replays earlier
 * reviews, which takes no time: what counts is how long the judges took.
 */
export function withEarlierTimes(report: RunReport, earlier: RunReport | undefined): RunReport {
  if (earlier === undefined) return report;
  const before = (review: ReviewReport): ReviewReport | undefined =>
    earlier.reviews.find(
      ({ iteration, version }) => iteration === review.iteration && version === review.version,
    );
  return {
    ...report,
    durationMs: Math.max(report.durationMs, earlier.durationMs),
    reviews: report.reviews.map((review) => ({
      ...review,
      durationMs: Math.max(review.durationMs, before(review)?.durationMs ?? 0),
    })),
  };
}
