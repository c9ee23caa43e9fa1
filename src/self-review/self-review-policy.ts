import type { Policy } from '../core/policy.js';
import { escalateOver } from '../policies/escalate-over.js';
import { firstOf } from '../policies/first-of.js';
import { noProgress } from '../policies/no-progress.js';
import { thresholds } from '../policies/thresholds.js';
import { type SelfReviewConfig, selfReviewConfig } from './config.js';

/**
 * Returns the policy of self-review. It escalates over its limits, approves at the thresholds, and
 * otherwise revises while versions improve.
 */
export function selfReviewPolicy(config: SelfReviewConfig): Policy {
  const checked = selfReviewConfig(config);
  const {
    escalateOnCriticalGaps,
    maxCriticalGapsBeforeEscalate: critical,
    escalateCritical,
  } = checked;
  return firstOf(
    escalateOver({
      critical: escalateOnCriticalGaps ? critical : undefined,
      fromIteration: escalateCritical === 'immediate' ? 1 : 2,
    }),
    escalateOver({
      score: checked.qualityThreshold * 0.7,
      fromIteration: checked.escalateAfterIterations,
    }),
    noProgress(
      thresholds({
        quality: checked.qualityThreshold,
        completeness: checked.completenessThreshold,
      }),
    ),
  );
}
