import type { Usage } from '../core/usage.js';

/** The result of a recorded step. */
export interface StepResult<Value> {
  readonly value: Value;
  readonly usage: Usage | undefined;
  /** The workspace tree after the step, if the step may change it. */
  readonly workspace?: string | undefined;
}
