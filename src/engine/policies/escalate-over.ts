import type { Decision } from '../../core/decision.js';
import { isOpen } from '../../core/gap.js';
import { checkKeys, checkRange, checkWhole, invalid } from '../../core/options.js';
import type { Policy } from '../../core/policy.js';
import { scoreBelow } from '../../core/score-text.js';
import { overallSoFar } from '../../core/scores.js';
import { unjudgeable } from './evidence.js';

export interface EscalateOptions {
  /** Escalates with more open critical gaps than this. @default Infinity */
  readonly critical?: number | undefined;
  /** Escalates with an overall score below this, from 0 to 1. @default 0 */
  readonly score?: number | undefined;
  /** The first iteration in which the limits apply. @default 1 */
  readonly fromIteration?: number | undefined;
  /**
   * Whether to `ask` a person, which suspends the run, or to `stop` it as `escalated`.
   *
   * @default 'stop'
   */
  readonly by?: 'ask' | 'stop' | undefined;
}

const allowed = ['override', 'revise', 'reject'] as const;

/**
 * Escalates to a person if a limit is exceeded. Otherwise, and if a judge failed, it returns
 * undefined: use it in `firstOf`.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = firstOf(escalateOver({ critical: 2, by: 'ask' }), thresholds());
 * ```
 */
export function escalateOver(options: EscalateOptions): Policy {
  const { critical, score, fromIteration, by } = checked(options);
  return ({ review, iteration }) => {
    if (iteration < fromIteration || unjudgeable(review) !== undefined) return undefined;
    const open = review.gaps.filter((gap) => isOpen(gap) && gap.severity === 'critical').length;
    const low = lowScore(overallSoFar(review.scores), score, iteration);
    const many = open > critical ? [`${counted(open)}, more than ${critical}`] : [];
    const reasons = [...many, ...low];
    return reasons.length === 0
      ? undefined
      : escalation(by, many.length > 0 ? 'critical_gaps' : 'low_score', reasons.join(', '));
  };
}

/** An unknown score is not a low one. */
function lowScore(overall: number | null, bar: number, iteration: number): readonly string[] {
  return overall === null || overall >= bar
    ? []
    : [`${scoreBelow('overall score', overall, bar)} in iteration ${iteration}`];
}

function counted(gaps: number): string {
  return `${gaps} critical ${gaps === 1 ? 'gap' : 'gaps'}`;
}

function escalation(by: 'ask' | 'stop', code: string, reason: string): Decision {
  if (by === 'stop') return { kind: 'stop', status: 'escalated', code, reason };
  return {
    kind: 'ask',
    reason,
    question: `The review escalates: ${reason}. What should happen next?`,
    allowed,
  };
}

function checked(options: EscalateOptions): {
  readonly [Key in keyof EscalateOptions]-?: NonNullable<EscalateOptions[Key]>;
} {
  checkKeys('escalateOver', options, ['critical', 'score', 'fromIteration', 'by']);
  const {
    critical = Number.POSITIVE_INFINITY,
    score = 0,
    fromIteration = 1,
    by = 'stop',
  } = options;
  if (critical !== Number.POSITIVE_INFINITY) checkWhole('critical', critical, 0);
  checkRange('score', score);
  checkWhole('fromIteration', fromIteration, 1);
  if (by !== 'ask' && by !== 'stop') throw invalid('by', "'ask' or 'stop'", by);
  return { critical, score, fromIteration, by };
}
