import type { StepReview } from './finished-step.js';
import type { SessionSettings } from './gate-session-options.js';
import { isGateOpen, openedStep, type StepState } from './gate-state.js';

/**
 * Accepts a step for a reason, after the audit log recorded it. It never approves.
 *
 * @throws ReviewLoopError `audit_unwritable`
 */
export async function overrideStep(
  { audit, clock }: SessionSettings,
  { state, step, input, hash, before }: StepReview,
  reason: string,
): Promise<StepState> {
  const who = input.by ?? 'agent';
  const at = new Date(clock.now()).toISOString();
  await audit?.record({
    kind: 'gate.override',
    who,
    version: hash,
    verdict: before.status,
    decision: 'accepted',
    reason,
    details: { job: state.job, step: step.id, session: state.session_id },
  });
  return {
    ...openedStep(before, hash, { status: 'accepted', feedback: null }),
    override: { who, reason, at, hash },
  };
}

/** Returns whether the gate is open already for the outputs of a call. */
export function isOpenFor({ before, hash }: StepReview): boolean {
  return isGateOpen(before) && before.hash === hash;
}
