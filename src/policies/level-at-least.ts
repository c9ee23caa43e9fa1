import { isJudged } from '../kernel/assessment.js';
import type { Policy } from '../kernel/policy.js';
import { levelOfScore, levelRank, type QualityLevel } from '../kernel/quality-level.js';
import { reviseBest, unjudgeable } from './evidence.js';

/**
 * Approves when every judged criterion reaches a level; else revises the best version.
 *
 * @param overrides - Another level for single criteria, by id.
 */
export function levelAtLeast(level: QualityLevel, overrides: Readonly<Record<string, QualityLevel>> = {}): Policy {
  return (evidence) => {
    const stop = unjudgeable(evidence.review);
    if (stop !== undefined) return stop;
    const low = evidence.review.assessments.filter(isJudged).filter(({ criterion, score, verdict }) => {
      return verdict === 'fail' || levelRank(levelOfScore(score)) < levelRank(overrides[criterion] ?? level);
    });
    if (low.length === 0) return { kind: 'approve', reason: `every criterion is ${level} or better` };
    const ids = new Set(low.map(({ criterion }) => criterion));
    const reason = low.map(({ criterion, score }) => `${criterion} is ${levelOfScore(score)}`).join(', ');
    return reviseBest(evidence, (gap) => gap.criterionId !== undefined && ids.has(gap.criterionId), reason);
  };
}
