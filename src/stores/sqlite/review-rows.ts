import type { Review } from '../../core/review.js';
import { plainText } from '../plain-text.js';
import { assessmentColumns, gapColumns, reviewColumns } from '../review-columns.js';
import type { Tables } from './database.js';
import { insertRow, replaceRow } from './insert-row.js';

/** Inserts a review with its assessments and gaps, and replaces those of the same iteration. */
export function insertReview(tables: Tables, runId: string, review: Review): void {
  const { iteration } = review;
  for (const table of ['assessments', 'gaps'])
    tables.run(`DELETE FROM ${table} WHERE run_id = ? AND iteration = ?`, runId, iteration);
  const key = { run_id: runId, iteration };
  const duration_ms = Math.max(review.durationMs, earlierDuration(tables, runId, review));
  replaceRow(tables, 'reviews', { ...key, ...reviewColumns(review), duration_ms });
  for (const [n, assessment] of review.assessments.entries())
    insertRow(tables, 'assessments', { ...key, n, ...assessmentColumns(assessment) });
  const gaps = [
    ...review.gaps.map((gap) => ({ ...gapColumns(gap), fixed: 0 })),
    ...review.fixed.map((gap) => ({ ...gapColumns(gap), fixed: 1 })),
  ];
  for (const [n, gap] of gaps.entries()) insertRow(tables, 'gaps', { ...key, n, ...gap });
}

/** Returns how long the same review took before, when its judges were asked. A replay asks nobody. */
function earlierDuration(tables: Tables, runId: string, { iteration, version }: Review): number {
  const [row] = tables.all(
    'SELECT duration_ms FROM reviews WHERE run_id = ? AND iteration = ? AND version = ?',
    runId,
    iteration,
    plainText(version),
  );
  return Number(row?.['duration_ms'] ?? 0);
}
