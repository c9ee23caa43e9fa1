import {
  type ErroredAssessment,
  isJudged,
  isOpenQuestion,
  isVerdict,
  type JudgedAssessment,
} from '../../core/assessment.js';
import { type Decision, isNonEmpty } from '../../core/decision.js';
import { messageOf } from '../../core/errors.js';
import { type Gap, isOpen } from '../../core/gap.js';
import type { Evidence, UndecidedReview } from '../../core/policy.js';
import { scoreText } from '../../core/score-text.js';
import { overallSoFar } from '../../core/scores.js';

function erroredOf(review: UndecidedReview): ErroredAssessment[] {
  return review.assessments.filter((assessment) => assessment.verdict === 'errored');
}

/** A judge failed, or nothing was judged. */
export function unjudgeable(review: UndecidedReview): Decision | undefined {
  if (review.assessments.some(({ verdict }) => verdict === 'errored')) {
    const failed = erroredOf(review);
    const said = new Map<string, string[]>();
    for (const { criterion, error } of failed) {
      const what = `(${error.code}): ${messageOf(error)}`;
      said.set(what, [...(said.get(what) ?? []), criterion]);
    }
    const reason = [...said].map(([what, criteria]) => `${criteria.join(', ')} ${what}`).join('; ');
    return {
      kind: 'stop',
      status: 'inconclusive',
      code: 'judge_failed',
      reason: `${failed.length} of ${review.assessments.length} judges failed: ${reason}`,
    };
  }
  if (!review.assessments.some(isVerdict) && !review.assessments.some(isOpenQuestion))
    return {
      kind: 'stop',
      status: 'inconclusive',
      code: 'nothing_judged',
      reason: 'no criterion gave a verdict',
    };
  return undefined;
}

/**
 * Returns an escalation if a judge failed an output only for disputed findings that would block
 * when confirmed. A disputed finding weighs no more than a confirmed one, but any dissent of a
 * confirming judge blocks.
 *
 * @param blocks - Returns whether a gap would block if it were open.
 */
export function disputedOnly(
  { review, judges = [] }: Pick<Evidence, 'review' | 'judges'>,
  blocks: (gap: Gap) => boolean,
): Decision | undefined {
  const isConfirming = (by: string | undefined): boolean =>
    judges.some(({ tier, id }) => tier === 'confirm' && id === by);
  const weighs = (gap: Gap): boolean =>
    gap.standing === 'disputed' && (blocks(gap) || isConfirming(gap.raisedBy));
  const disputed = review.assessments.filter(
    (assessment): assessment is JudgedAssessment =>
      assessment.verdict === 'fail' && assessment.gaps.some(weighs),
  );
  if (disputed.length === 0) return undefined;
  return {
    kind: 'stop',
    status: 'escalated',
    code: 'disputed',
    reason: `only disputed gaps are open: ${disputed.map(({ criterion }) => criterion).join(', ')}`,
  };
}

/**
 * Escalates if only disputed or unfixable gaps block.
 *
 * @param low - The criteria whose score is too low, if the policy knows them.
 */
export function reviseBest(
  { best }: Evidence,
  blocks: (gap: Gap) => boolean,
  reason: string,
  low?: ReadonlySet<string>,
): Decision {
  const open = best.gaps.filter(isOpen);
  const blocking = open.filter(blocks);
  const fixable = blocking.filter((gap) => gap.autoFixable);
  if (isNonEmpty(fixable)) return { kind: 'revise', reason, from: 'best', blocking: fixable };
  if (blocking.length > 0)
    return {
      kind: 'stop',
      status: 'escalated',
      code: 'unfixable',
      reason: `${reason}; no remaining blocking gap can be fixed by the producer`,
    };
  const disputed = best.gaps.filter((gap) => gap.standing === 'disputed');
  const rest = open.filter((gap) => gap.autoFixable);
  if (low === undefined && isNonEmpty(rest) && !disputed.some(blocks))
    return { kind: 'revise', reason, from: 'best', blocking: rest };
  if (disputed.length > 0)
    return {
      kind: 'stop',
      status: 'escalated',
      code: 'disputed',
      reason: `${reason}; only disputed gaps remain`,
    };
  return { kind: 'revise', reason, from: 'best', blocking: [lowScoreGap(best, low)] };
}

/** For a review without gaps. It names the criterion with the lowest score. */
function lowScoreGap(review: UndecidedReview, low: ReadonlySet<string> | undefined): Gap {
  const judged = review.assessments.filter(
    (assessment): assessment is JudgedAssessment =>
      isJudged(assessment) && (low?.has(assessment.criterion) ?? true),
  );
  const [lowest] = judged.sort((a, b) => a.score - b.score);
  const criterion = lowest?.criterion ?? 'overall';
  return Object.freeze({
    id: `score:${criterion}`,
    severity: 'minor',
    category: 'quality',
    description: [
      `${criterion} scores ${scoreText(lowest?.score ?? overallSoFar(review.scores))}`,
      lowest?.explanation ?? '',
    ]
      .filter((part) => part !== '')
      .join(': '),
    suggestedFix: `Improve ${criterion}`,
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: criterion,
    lifecycle: 'new',
  });
}
