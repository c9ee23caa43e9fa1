import type { DecisionAnswer } from '../core/human.js';

/** An override whose version the run has not reached yet. */
export interface PendingOverride {
  readonly digest: string;
  /** Audits and records the override. */
  readonly record: () => Promise<void>;
  /** The error, if the override does not count. */
  refused?: unknown;
}

/** Recorded decisions about a version. */
export interface Decided {
  readonly digest: string;
  readonly answer: DecisionAnswer;
  /** What was asked, by criterion: another question is not decided. */
  readonly questions?: Readonly<Record<string, string>> | undefined;
}

/** Decisions about a version that the run has not reached yet. */
export interface PendingDecisions extends Omit<PendingOverride, 'record'> {
  /** Audits and records the decisions. */
  readonly record: (questions: NonNullable<Decided['questions']>) => Promise<void>;
  readonly answer: DecisionAnswer;
  /** Whether they are recorded. */
  taken: boolean;
}
