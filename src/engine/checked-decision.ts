import * as z from 'zod';
import type { FailedAssessment } from '../core/assessment.js';
import { builtOnUse } from '../core/built-on-use.js';
import { type Decision, isNonEmpty } from '../core/decision.js';
import { ReviewLoopError } from '../core/errors.js';
import { type Gap, GapSchema, isOpen } from '../core/gap.js';
import { deepFrozen } from '../core/json.js';
import type { Evidence, UndecidedReview } from '../core/policy.js';
import { inconclusive, whyNotApproved } from './approval.js';
import { engineErrors } from './errors.js';

const DecisionSchema = builtOnUse(() => {
  const text = z.string();
  const stops = ['rejected', 'escalated', 'stalled', 'exhausted', 'inconclusive'] as const;
  const answers = ['approve', 'reject', 'revise', 'override', 'skip', 'decide'] as const;
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve'), reason: text }),
    z.object({ kind: z.literal('accept'), code: text, reason: text }),
    z.object({
      kind: z.literal('revise'),
      reason: text,
      from: z.enum(['best', 'latest', 'anew']),
      blocking: z.array(z.unknown()),
    }),
    z.object({
      kind: z.literal('ask'),
      reason: text,
      question: text,
      allowed: z.array(z.enum(answers)).min(1),
    }),
    z.object({ kind: z.literal('stop'), status: z.enum(stops), code: text, reason: text }),
  ]);
});

/** Freezes a copy of the known members. */
export function checkedDecision(given: unknown, { review, best }: Evidence): Decision | undefined {
  if (given === undefined) return undefined;
  const { data, error } = z.safeParse(DecisionSchema, given);
  if (data === undefined) throw invalidDecision(error, given);
  if (data.kind !== 'revise') return deepFrozen(data);
  const blocking = data.blocking.map((gap): Gap => {
    const known = [review, best].find(({ gaps }) => gaps.includes(gap as Gap));
    // as frozen as its review
    if (known !== undefined) return gap as Gap;
    const parsed = z.safeParse(GapSchema, gap);
    if (parsed.success) return deepFrozen(parsed.data);
    throw invalidDecision(parsed.error, given);
  });
  return Object.freeze({
    ...data,
    blocking: Object.freeze(blocking) as unknown as readonly [Gap, ...Gap[]],
  });
}

function invalidDecision(error: z.ZodError, value: unknown): ReviewLoopError {
  const what = `the policy returned an invalid decision: ${z.prettifyError(error)}`;
  return new ReviewLoopError(engineErrors.policy_invalid, what, { cause: error, value });
}

export function dissented(dissent: readonly FailedAssessment[]): Decision {
  const gaps = dissent.flatMap((failed) => failed.gaps);
  const reason = `a confirming judge dissents: ${gaps.map((gap) => gap.description).join('; ')}`;
  const open = gaps.filter(isOpen);
  const fixable = open.filter((gap) => gap.autoFixable);
  if (isNonEmpty(fixable)) return { kind: 'revise', reason, from: 'latest', blocking: fixable };
  return {
    kind: 'stop',
    status: 'escalated',
    code: open.length > 0 ? 'unfixable' : 'disputed',
    reason,
  };
}

/** A disputed gap is never edited. */
export function undisputed(decision: Extract<Decision, { kind: 'revise' }>): Decision {
  const { blocking, reason } = decision;
  const open = blocking.filter(isOpen);
  if (isNonEmpty(open)) return { ...decision, blocking: open };
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

/** Never approves. */
export function withoutDecision(review: UndecidedReview, best: UndecidedReview): Decision {
  const open = best.gaps.filter((gap) => isOpen(gap) && gap.autoFixable);
  if (whyNotApproved(review) === undefined && isNonEmpty(open))
    return {
      kind: 'revise',
      reason: 'the policy has no opinion, and gaps are open',
      from: 'best',
      blocking: open,
    };
  return inconclusive('no_decision', 'the policy has no opinion');
}
