import type { ReviewReport } from './run-report.js';

/** Returns a review of which nothing is known but its time. */
export function unscoredReview(at: string): ReviewReport {
  const unknown = { quality: null, completeness: null, correctness: null, overall: null };
  const none = { met: 0, judged: 0, total: 0 };
  return {
    iteration: 1,
    version: '',
    at,
    durationMs: 0,
    complete: false,
    best: true,
    scores: { ...unknown, judged: 0, total: 0, criteria: none, requirements: none },
    decision: { kind: 'ask', reason: '' },
    gaps: [],
    fixed: [],
    assessments: [],
  };
}
