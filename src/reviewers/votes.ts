import type { Votes } from '../core/assessment.js';
import type { LLMProvider } from '../core/llm-provider.js';

/**
 * The correlation of two calls of one model. Published reruns of judges change 13.6 % of verdicts
 * (Coin Flip Judge).
 */
const sameModel = 0.78;

export interface Vote {
  /** The position of the member. */
  readonly member: number;
  readonly passed: boolean;
  readonly score: number;
  /** The model that it asked, if known. */
  readonly provider: LLMProvider | undefined;
}

/** Returns the statistics of some votes. `failed` counts the members that did not vote. */
export function votesOf(votes: readonly Vote[], failed: number, correlation: number): Votes {
  const pass = votes.filter(({ passed }) => passed).length;
  const fail = votes.length - pass;
  const pairs = (votes.length * (votes.length - 1)) / 2;
  const agreeing = (pass * (pass - 1) + fail * (fail - 1)) / 2;
  return {
    pass,
    fail,
    failed,
    agreement: pairs === 0 ? 1 : agreeing / pairs,
    effective: effectiveVotes(votes, correlation),
  };
}

/**
 * Returns about how many independent votes these votes are worth (Kish): n² divided by the sum of
 * all correlations. With 0.44, nine judges of different models are worth two, as "Nine Judges, Two
 * Effective Votes" measured. It is an assumption, not a measurement of these judges.
 */
export function effectiveVotes(votes: readonly Vote[], correlation: number): number {
  if (votes.length === 0) return 0;
  let sum = 0;
  for (const one of votes)
    for (const other of votes) sum += one === other ? 1 : correlationOf(one, other, correlation);
  return Math.round((votes.length ** 2 / sum) * 100) / 100;
}

function correlationOf(one: Vote, other: Vote, correlation: number): number {
  const same =
    one.member === other.member ||
    (one.provider !== undefined &&
      other.provider !== undefined &&
      one.provider.id === other.provider.id &&
      one.provider.model === other.provider.model);
  return same ? Math.max(sameModel, correlation) : correlation;
}
