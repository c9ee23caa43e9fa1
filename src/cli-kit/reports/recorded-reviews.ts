import * as z from 'zod';
import type { StoreHandle, StoreTables } from '../store-handle.js';

const score = z.number().nullable();

const ReviewRowSchema = z.object({
  iteration: z.number(),
  version: z.string(),
  complete: z.number().transform((given) => given !== 0),
  quality: score,
  completeness: score,
  correctness: score,
  overall: score,
  judged: z.number(),
  total: z.number(),
  decision: z.string(),
  reason: z.string(),
  at: z.string(),
  gaps: z.number(),
});

/** A review as the tables of a database contain it; `gaps` counts those that it left open. */
export type RecordedReview = z.infer<typeof ReviewRowSchema>;

/** Returns the query for the reviews of a run, oldest first. */
function queryOf({ schema, value }: StoreTables): string {
  return `SELECT r.iteration, r.version, r.complete, r.quality, r.completeness, r.correctness,
      r.overall, r.judged, r.total, r.decision, r.reason, r.at,
      (SELECT CAST(count(*) AS integer) FROM ${schema}gaps g
       WHERE g.run_id = r.run_id AND g.iteration = r.iteration AND g.fixed = 0) AS gaps
    FROM ${schema}reviews r WHERE r.run_id = ${value} ORDER BY r.iteration`;
}

/**
 * Returns the reviews of a run of any pipeline, from the tables of a database. `undefined` for a
 * folder: its journals contain no reviews.
 *
 * @throws ReviewLoopError the errors of the store
 */
export async function recordedReviews(
  { tables }: StoreHandle,
  runId: string,
): Promise<readonly RecordedReview[] | undefined> {
  if (tables === undefined) return undefined;
  const rows = await tables.query(queryOf(tables), runId);
  return z.array(ReviewRowSchema).parse(rows);
}
