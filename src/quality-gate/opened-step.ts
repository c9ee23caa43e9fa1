import type { StepState } from './gate-state.js';

export function openedStep(
  before: StepState,
  hash: string,
  end: Pick<StepState, 'status' | 'feedback'>,
): StepState {
  return {
    ...before,
    ...end,
    hash,
    token: null,
    instructions_path: null,
    error: null,
    failed_reviews: [],
    override: null,
  };
}
