import { isOpen, severityAtLeast } from '../../core/gap.js';
import { checkRange, checkTable, type OptionTable } from '../../core/options.js';
import { asksNobody, type Policy } from '../../core/policy.js';
import { scoreBelow, scoreText } from '../../core/score-text.js';
import type { Scores } from '../../core/scores.js';
import { disputedOnly, reviseBest, unjudgeable } from './evidence.js';

export const defaultThresholds = { quality: 0.8, completeness: 0.9 } as const;

/** Options of {@link thresholds}. */
export interface ThresholdOptions {
  /** The least overall score for approval, from 0 to 1. @default 0.8 */
  readonly quality?: number | undefined;
  /** The least completeness score for approval, from 0 to 1. @default 0.9 */
  readonly completeness?: number | undefined;
}

const table: OptionTable<ThresholdOptions> = { quality: checkRange, completeness: checkRange };

/**
 * Approves if both scores reach their thresholds and no critical or major gap is open. Otherwise it
 * revises the best version. A failed judge makes the run inconclusive. Inside `noProgress`, it is
 * the default policy of a pipeline.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = thresholds({ quality: 0.9 });
 * ```
 */
export function thresholds(options: ThresholdOptions = {}): Policy {
  checkTable('thresholds', table, options);
  const { quality = defaultThresholds.quality, completeness = defaultThresholds.completeness } =
    options;
  return asksNobody((evidence) => {
    const { review } = evidence;
    const stop = unjudgeable(review);
    if (stop !== undefined) return stop;
    const blocking = review.gaps.filter(
      (gap) => isOpen(gap) && severityAtLeast(gap.severity, 'major'),
    );
    const { overall, complete, decided } = decidedScores(review.scores);
    const short = [
      blocking.length > 0
        ? `${blocking.length} critical or major ${blocking.length === 1 ? 'gap' : 'gaps'}`
        : '',
      below(`overall score${decided}`, overall, quality),
      below(`completeness${decided}`, complete, completeness),
    ].filter((part) => part !== '');
    if (short.length === 0) {
      const disputed = disputedOnly(evidence, (gap) => severityAtLeast(gap.severity, 'major'));
      if (disputed !== undefined) return disputed;
      return {
        kind: 'approve',
        reason:
          `overall score${decided} ${scoreText(overall)} reaches ${scoreText(quality)}, ` +
          'no critical or major gap is open',
      };
    }
    return reviseBest(evidence, (gap) => severityAtLeast(gap.severity, 'major'), short.join(', '));
  });
}

function below(name: string, value: number | null, bar: number): string {
  return value === null || value >= bar ? '' : scoreBelow(name, value, bar);
}

/** While something is open, the scores of what is decided. */
function decidedScores({ overall, completeness, soFar }: Scores) {
  const known = soFar ?? { overall, completeness };
  const decided = soFar === undefined ? '' : ' of what is decided';
  return { overall: known.overall, complete: known.completeness, decided };
}
