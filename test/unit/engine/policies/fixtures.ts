import type { Assessment } from '@/core/assessment.js';
import type { Decision } from '@/core/decision.js';
import { ReviewLoopError } from '@/core/errors.js';
import type { Gap } from '@/core/gap.js';
import type { Evidence, UndecidedReview } from '@/core/policy.js';
import type { Review } from '@/core/review.js';
import { scoresOf } from '@/core/scores.js';

export function gapOf(fields: Partial<Gap> = {}): Gap {
  return {
    id: 'g',
    severity: 'major',
    category: 'quality',
    description: 'wrong',
    suggestedFix: 'mend it',
    estimatedEffort: 'small',
    autoFixable: true,
    criterionId: 'a',
    ...fields,
  };
}

export function pass(criterion: string, score = 1): Assessment {
  return { verdict: 'pass', criterion, score, explanation: '', gaps: [] };
}

export function fail(criterion: string, gap: Partial<Gap> = {}, score = 0): Assessment {
  return {
    verdict: 'fail',
    criterion,
    score,
    explanation: 'because',
    gaps: [gapOf({ id: `g-${criterion}`, criterionId: criterion, ...gap })],
  };
}

export function skip(criterion: string): Assessment {
  return { verdict: 'skipped', criterion, reason: 'not asked' };
}

/** A check by code found nothing that it applies to. */
export function gone(criterion: string): Assessment {
  return { verdict: 'skipped', criterion, reason: 'there is none', notApplicable: true };
}

export function err(criterion: string): Assessment {
  return { verdict: 'errored', criterion, error: new ReviewLoopError('timeout', 'late') };
}

export function reviewOf(
  assessments: readonly Assessment[],
  changes: Partial<UndecidedReview> = {},
): UndecidedReview {
  const gaps = assessments.flatMap((assessment) =>
    assessment.verdict === 'pass' || assessment.verdict === 'fail' ? assessment.gaps : [],
  );
  return {
    iteration: 1,
    version: 'v',
    assessments,
    gaps,
    fixed: [],
    scores: scoresOf(assessments),
    complete: true,
    usage: {},
    durationMs: 0,
    at: '',
    ...changes,
  };
}

export function evidenceOf(
  assessments: readonly Assessment[],
  changes: Partial<Evidence> = {},
): Evidence {
  const review = reviewOf(assessments);
  return { iteration: 1, review, best: review, history: [], spent: {}, ...changes };
}

/** The evidence after rounds that were all decided by the policy's own revisions; the best so far is kept. */
export function evidenceAfter(
  rounds: readonly (readonly Assessment[])[],
  decide: (evidence: Evidence) => Decision | undefined,
): Evidence {
  const history: Review[] = [];
  let best: UndecidedReview | undefined;
  let evidence = evidenceOf([]);
  for (const [index, assessments] of rounds.entries()) {
    const review = reviewOf(assessments, { iteration: index + 1, version: `v${index + 1}` });
    if (best === undefined || (review.scores.overall ?? -1) > (best.scores.overall ?? -1))
      best = review;
    evidence = { iteration: index + 1, review, best, history: [...history], spent: {} };
    const decision = decide(evidence);
    if (decision === undefined) throw new Error('the policy has no opinion');
    history.push({ ...review, decision });
  }
  return evidence;
}
