import { honestWorkId } from '../../blocks/criteria/diff/honest-work.js';
import { type Decision, isNonEmpty } from '../../core/decision.js';
import { isOpen } from '../../core/gap.js';
import type { Evidence, Policy } from '../../core/policy.js';
import { failedChecks, isLintRepair, roundsByAttempt, textOf, verdictIn } from './review-rounds.js';

/**
 * Whether a failed code review blocks the task: `required` blocks, `advisory` does not. A review
 * without a verdict always does.
 */
export type ReviewPolicy = 'advisory' | 'required';

export interface TaskPolicyOptions {
  readonly reviewPolicy: ReviewPolicy;
  /** Whether a person decides after every review. */
  readonly hitlReview: boolean;
  /** The maximum number of attempts at a task, unless a person asks for more. */
  readonly maxAttempts: number;
}

/**
 * Tests and linter decide first, and repaired work is reviewed again. Then the person decides if
 * `hitlReview` is true, or else the verdict. If a review came to no verdict, the task stops:
 * continuing its run asks the reviewers again.
 */
export function taskPolicy(options: TaskPolicyOptions): Policy {
  return (evidence) => {
    return checksDecide(evidence, options) ?? reviewDecides(evidence, options);
  };
}

function checksDecide(evidence: Evidence, options: TaskPolicyOptions): Decision | undefined {
  const { review } = evidence;
  const failed = failedChecks(review);
  const names = failed.map(({ criterion }) => criterion).join(', ');
  if (failed.length === 0) return skippedChecksDecide(evidence);
  if (failed.some(({ verdict }) => verdict === 'errored'))
    return {
      kind: 'stop',
      status: 'inconclusive',
      code: 'check_broken',
      reason: `could not be run: ${names}: ${textOf(review)}`,
    };
  if (isLintRepair(review))
    return again(evidence, 'the linter changed files, which are tested again');
  if (failed[0]?.criterion === 'change' && failed[0].verdict === 'fail')
    return retry(evidence, options, {
      code: 'nothing_changed',
      reason: failed[0].explanation,
    });
  return retry(evidence, options, {
    code: `${failed[0]?.criterion}_failed`,
    reason: `failed: ${names}`,
  });
}

/** Stops if tests or linter judged nothing although no earlier check failed. */
function skippedChecksDecide({ review }: Evidence): Decision | undefined {
  const skipped = review.assessments.filter(
    ({ criterion, verdict }) => criterion !== 'review' && verdict === 'skipped',
  );
  if (skipped.length === 0) return undefined;
  return {
    kind: 'stop',
    status: 'inconclusive',
    code: 'check_broken',
    reason: `judged nothing: ${skipped.map(({ criterion }) => criterion).join(', ')}`,
  };
}

function reviewDecides(evidence: Evidence, options: TaskPolicyOptions): Decision {
  const { review } = evidence;
  const verdict = verdictIn(review);
  const words = `the review says ${verdict}`;
  if (verdict === 'fixed')
    return again(evidence, 'the reviewers changed the code, which is reviewed again');
  if (options.hitlReview)
    return {
      kind: 'ask',
      reason: words,
      question: `Verdict: REVIEW_${verdict.toUpperCase()}. How should it continue?`,
      allowed: ['approve', 'reject', 'revise', 'skip'],
    };
  switch (verdict) {
    case 'passed':
      return { kind: 'approve', reason: passedText(review) };
    case 'skipped':
      if (passedChecks(review).length > 0)
        return { kind: 'approve', reason: `${passedText(review)}; the review is disabled` };
      return {
        kind: 'accept',
        code: 'not_reviewed',
        reason: 'the review is disabled, and neither tests nor a linter are configured',
      };
    case 'failed':
      if (options.reviewPolicy === 'required')
        return retry(evidence, options, { code: 'review_failed', reason: words });
      return { kind: 'accept', code: 'review_failed', reason: `${words}, and is advisory` };
    case 'not_run':
    case 'error':
      return {
        kind: 'stop',
        status: 'inconclusive',
        code: verdict === 'error' ? 'review_broken' : 'review_not_run',
        reason: `${words}: ${textOf(review)}`,
      };
  }
}

const saysNoQuality: readonly string[] = ['execution', honestWorkId];

function passedChecks({ assessments }: Evidence['review']): string[] {
  return assessments.flatMap(({ criterion, verdict }) =>
    verdict === 'pass' && !saysNoQuality.includes(criterion) ? [criterion] : [],
  );
}

/** `tests, lint and review passed`. */
function passedText(review: Evidence['review']): string {
  const names = passedChecks(review);
  const last = names.at(-1) ?? '';
  return `${names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last} passed`;
}

function retry(
  evidence: Evidence,
  { maxAttempts }: TaskPolicyOptions,
  { code, reason }: { readonly code: string; readonly reason: string },
): Decision {
  const attempts = roundsByAttempt([
    ...evidence.history,
    {
      assessments: evidence.review.assessments,
      decision: { kind: 'stop', status: 'exhausted', code, reason } as const,
    },
  ]).length;
  if (attempts >= maxAttempts)
    return {
      kind: 'stop',
      status: 'exhausted',
      code,
      reason: `${reason}; ${attempts} of ${maxAttempts} attempts made (maxAttempts)`,
    };
  return again(evidence, reason);
}

function again({ review }: Evidence, reason: string): Decision {
  const blocking = review.gaps.filter((gap) => isOpen(gap) && gap.autoFixable);
  if (isNonEmpty(blocking)) return { kind: 'revise', reason, from: 'latest', blocking };
  const note = textOf(review) || reason;
  return {
    kind: 'revise',
    reason,
    from: 'latest',
    blocking: [
      {
        id: `task:${review.version.slice(0, 16)}`,
        severity: 'major',
        category: 'incomplete',
        description: note,
        suggestedFix: note,
        estimatedEffort: 'medium',
        autoFixable: true,
      },
    ],
  };
}
