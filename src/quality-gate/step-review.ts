import type { FinishedStepInput } from './finished-step.js';
import type { GateStep } from './gate-job.js';
import type { GateState, StepState } from './gate-state.js';

export interface StepReview {
  readonly state: GateState;
  readonly step: GateStep;
  readonly input: FinishedStepInput;
  /** The digest of the outputs. */
  readonly hash: string;
  readonly before: StepState;
}
