import type { JudgeReport, ReviewReport, RunReport } from './run-report.js';

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
  const judges = report.judges?.map((judge) =>
    withTime(
      judge,
      earlier.judges?.find(({ id }) => id === judge.id),
    ),
  );
  return {
    ...report,
    ...(judges !== undefined && { judges }),
    durationMs: Math.max(report.durationMs, earlier.durationMs),
    reviews: report.reviews.map((review) => ({
      ...review,
      durationMs: Math.max(review.durationMs, before(review)?.durationMs ?? 0),
    })),
  };
}

/** Returns what a judge did with the longer one of two times. */
export function withTime(judge: JudgeReport, earlier: JudgeReport | undefined): JudgeReport {
  const durationMs = Math.max(judge.durationMs ?? 0, earlier?.durationMs ?? 0);
  return { ...judge, durationMs };
}
