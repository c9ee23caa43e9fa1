import { type FailedAssessment, isVerdict } from '../core/assessment.js';
import { type Decision, isNonEmpty } from '../core/decision.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { isOpen } from '../core/gap.js';
import { undecidedStop } from '../core/open-questions.js';
import type { Evidence, Policy, UndecidedReview } from '../core/policy.js';
import { checkedDecision } from './checked-decision.js';

/** The facts that a decision is checked against. */
export interface Reviewed {
  readonly finding: UndecidedReview;
  readonly best: UndecidedReview;
  /** The failures that confirming judges report, whatever their gaps say. */
  readonly dissent: readonly FailedAssessment[];
}

/**
 * Returns the decision, or a safe one if it breaks a promise of the engine:
 *
 * - an approval needs a complete review with a verdict, no open question, and no dissent of a
 *   confirming judge;
 * - a revision needs a gap that is not disputed;
 * - an undefined decision never approves.
 */
export async function enforceInvariants(
  decision: Decision | undefined,
  { finding, best, dissent }: Reviewed,
): Promise<Decision> {
  if (decision === undefined) return undecided(finding, best);
  switch (decision.kind) {
    case 'approve':
      return approvable(finding) ?? (await unlessDissent(decision, dissent));
    case 'revise':
      return undisputed(decision);
    case 'accept':
      return unlessDissent(decision, dissent);
    case 'ask':
    case 'stop':
      return decision;
  }
}

async function unlessDissent(
  decision: Decision,
  dissent: readonly FailedAssessment[],
): Promise<Decision> {
  return dissent.length === 0 ? decision : (await import('./dissent.js')).dissented(dissent);
}

/**
 * Returns what the policy decides.
 *
 * @throws ReviewLoopError `policy_failed` if it throws, `policy_invalid` if it returns no decision
 */
export function decide(policy: Policy, evidence: Evidence): Decision | undefined {
  try {
    return checkedDecision(policy(evidence), evidence);
  } catch (error) {
    if (error instanceof ReviewLoopError) throw error;
    const what = `the policy threw: ${messageOf(error)}`;
    throw new ReviewLoopError('policy_failed', what, { cause: error });
  }
}

/**
 * Returns whether everything was judged and nothing failed, so that a person who approves agrees
 * with the reviewers.
 */
export function isClean(finding: UndecidedReview): boolean {
  return (
    approvable(finding) === undefined &&
    finding.assessments.every(({ verdict }) => verdict === 'pass' || verdict === 'skipped')
  );
}

function approvable(finding: UndecidedReview): Decision | undefined {
  const failed = finding.assessments.filter(({ verdict }) => verdict === 'errored');
  if (failed.length > 0)
    return inconclusive(
      'judge_failed',
      `judges failed: ${failed.map(({ criterion }) => criterion).join(', ')}`,
    );
  if (!finding.complete) return inconclusive('incomplete', incompleteText(finding));
  const stop = undecidedStop(finding);
  if (stop !== undefined) return stop;
  if (!finding.assessments.some(isVerdict))
    return inconclusive('nothing_judged', 'no criterion gave a verdict');
  return undefined;
}

function incompleteText({ assessments }: UndecidedReview): string {
  const missing = assessments.filter(({ verdict }) => verdict === 'skipped').length;
  return `review incomplete: ${missing} of ${assessments.length} reviewers not asked`;
}

/** Returns a revision of open gaps only: a disputed gap is never edited. */
function undisputed(decision: Extract<Decision, { kind: 'revise' }>): Decision {
  const { blocking, reason } = decision;
  const open = blocking.filter(isOpen);
  if (isNonEmpty(open))
    return open.length === blocking.length ? decision : { ...decision, blocking: open };
  if (blocking.length > 0)
    return {
      kind: 'stop',
      status: 'escalated',
      code: 'disputed',
      reason: `${reason}; only disputed gaps were to be revised`,
    };
  return {
    kind: 'stop',
    status: 'stalled',
    code: 'nothing_to_revise',
    reason: `${reason}; the policy named no gap to revise`,
  };
}

function undecided(finding: UndecidedReview, best: UndecidedReview): Decision {
  const open = best.gaps.filter((gap) => isOpen(gap) && gap.autoFixable);
  if (approvable(finding) === undefined && isNonEmpty(open))
    return {
      kind: 'revise',
      reason: 'the policy has no opinion, and gaps are open',
      from: 'best',
      blocking: open,
    };
  return inconclusive('no_decision', 'the policy has no opinion');
}

function inconclusive(code: string, reason: string): Decision {
  return { kind: 'stop', status: 'inconclusive', code, reason };
}
