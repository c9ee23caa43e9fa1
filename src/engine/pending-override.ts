import type { DecisionAnswer } from '../core/human.js';

/** An override whose version the run has not reached yet. */
export interface PendingOverride {
  readonly digest: string;
  /** Audits and records the override. */
  readonly record: () => Promise<void>;
  /** The error, if the override does not count. */
  refused?: unknown;
}

/** Decisions about a version that the run has not reached yet. */
export interface PendingDecisions extends PendingOverride {
  readonly answer: DecisionAnswer;
  /** Whether they are recorded. */
  taken: boolean;
}
