import type { AskDecision } from '../core/decision.js';

/** A question about a version, and its name within the run. */
export interface NamedQuestion {
  readonly name: string;
  readonly question: AskDecision;
  /** Whether decisions may approve the version too. */
  readonly approves?: boolean | undefined;
}
