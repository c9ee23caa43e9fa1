import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';

/** The five levels, worst first; their ranks are 0 to 4. */
export const QualityLevelSchema = builtOnUse(() =>
  z.enum(['poor', 'needs_work', 'acceptable', 'good', 'excellent']),
);

/** How good something is, in words. */
export type QualityLevel = z.infer<typeof QualityLevelSchema>;

/** The rank of a level: `poor` 0, `needs_work` 1, `acceptable` 2, `good` 3, `excellent` 4. */
export function levelRank(level: QualityLevel): number {
  return QualityLevelSchema.options.indexOf(level);
}

/** The score that stands for a level: its rank as a share of the best one's. */
export function scoreOfLevel(level: QualityLevel): number {
  return levelRank(level) / 4;
}

/** The level that a score from 0 to 1 stands for: each fifth of the range is one level. */
export function levelOfScore(score: number): QualityLevel {
  return QualityLevelSchema.options[Math.min(4, Math.floor(score * 5))] ?? 'poor';
}
