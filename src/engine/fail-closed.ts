import type { FailedAssessment } from '../core/assessment.js';
import type { Decision } from '../core/decision.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { isOpen } from '../core/gap.js';
import { type Evidence, mayAsk, type Policy, type UndecidedReview } from '../core/policy.js';
import { whyNotApproved } from './approval.js';

export interface Reviewed {
  readonly review: UndecidedReview;
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
export function enforceInvariants(
  decision: Decision | undefined,
  { review, best, dissent }: Reviewed,
): Decision | Promise<Decision> {
  if (decision === undefined) return loadSafe().then((safe) => safe.withoutDecision(review, best));
  switch (decision.kind) {
    case 'approve':
      return whyNotApproved(review) ?? unlessDissent(decision, dissent);
    case 'revise':
      return decision.blocking.length > 0 && decision.blocking.every(isOpen)
        ? decision
        : loadSafe().then((safe) => safe.undisputed(decision));
    case 'accept':
      return unlessDissent(decision, dissent);
    case 'ask':
    case 'stop':
      return decision;
  }
}

/** Loaded on first need: most decisions keep every promise. */
function loadSafe(): Promise<typeof import('./checked-decision.js')> {
  return import('./checked-decision.js');
}

function unlessDissent(
  decision: Decision,
  dissent: readonly FailedAssessment[],
): Decision | Promise<Decision> {
  return dissent.length === 0 ? decision : loadSafe().then((safe) => safe.dissented(dissent));
}

/** Only the decisions of a policy of this library need no check. */
export function decide(
  policy: Policy,
  evidence: Evidence,
): Decision | undefined | Promise<Decision | undefined> {
  try {
    const decision = policy(evidence);
    if (mayAsk(policy)) return checked(decision, evidence);
    // gaps are as frozen as their review
    if (decision?.kind === 'revise') Object.freeze(decision.blocking);
    return decision && Object.freeze(decision);
  } catch (error) {
    throw policyError(error);
  }
}

async function checked(given: unknown, evidence: Evidence): Promise<Decision | undefined> {
  const { checkedDecision } = await import('./checked-decision.js');
  try {
    return checkedDecision(given, evidence);
  } catch (error) {
    throw policyError(error);
  }
}

function policyError(error: unknown): ReviewLoopError {
  return error instanceof ReviewLoopError
    ? error
    : new ReviewLoopError('policy_failed', `the policy threw: ${messageOf(error)}`, {
        cause: error,
      });
}
