import type { Usage } from '../core/usage.js';

/** The result of a recorded step. */
export interface StepResult<Value> {
  readonly value: Value;
  readonly usage: Usage | undefined;
  /** What the workspace held afterwards, where the step may change it. */
  readonly workspace?: string | undefined;
}
