import { describe, expect, it } from 'vitest';
import { withEarlierTimes } from '@/faces/reports/run-recorder.js';
import type { ReviewReport, RunReport } from '@/faces/reports/run-report.js';

const review = (iteration: number, durationMs: number, version = 'v'): ReviewReport =>
  ({ iteration, durationMs, version }) as ReviewReport;
const report = (durationMs: number, ...reviews: ReviewReport[]): RunReport =>
  ({ durationMs, reviews }) as RunReport;

describe('the times of an answered run', () => {
  it('are those of the judges, not of the replay [R2-066]', () => {
    const before = report(1500, review(1, 1400));
    const after = withEarlierTimes(report(3, review(1, 2), review(2, 700)), before);
    expect(after.durationMs).toBe(1500);
    expect(after.reviews.map(({ durationMs }) => durationMs)).toEqual([1400, 700]);
  });

  it('of another version stay as they are', () => {
    const before = report(10, review(1, 10, 'other'));
    expect(withEarlierTimes(report(3, review(1, 2)), before).reviews[0]?.durationMs).toBe(2);
    expect(withEarlierTimes(before, undefined)).toBe(before);
  });
});
