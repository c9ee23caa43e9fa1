import { type GateJob, hasCriteria } from './gate-job.js';
import type { GateState, StepState } from './gate-state.js';

/**
 * Returns why a saved state cannot be true: a step is open, and nothing in the state opened it.
 * Undefined if each open step has its verdict, its reason, or no criteria.
 */
export function unearnedStep(
  { steps }: Pick<GateJob, 'steps'>,
  saved: GateState['steps'],
): string | undefined {
  for (const step of steps) {
    const state = saved[step.id];
    if (state?.status === 'approved' && !hasVerdict(state))
      return `step ${step.id} is approved, and no verdict on its outputs passed`;
    if (state?.status === 'accepted' && hasCriteria(step) && state.override?.hash !== state.hash)
      return `step ${step.id} is accepted, and nobody gave a reason for its outputs`;
  }
  return undefined;
}

function hasVerdict({ hash, verdicts }: StepState): boolean {
  return verdicts.some((verdict) => verdict.passed && verdict.hash === hash);
}
