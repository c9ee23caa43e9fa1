import type { AskDecision } from '../core/decision.js';

/** A question about a version, and its name within the run. */
export interface NamedQuestion {
  readonly name: string;
  readonly question: AskDecision;
}
