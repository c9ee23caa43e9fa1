import type { Votes } from '../core/assessment.js';
import type { LLMProvider } from '../core/llm-provider.js';

/** How two calls of one model go together; published reruns of judges flip 13.6 % of the time (Coin Flip Judge). */
const sameModel = 0.78;

/** One verdict of one member. */
export interface Vote {
  /** Which member, by its place. */
  readonly member: number;
  readonly passed: boolean;
  readonly score: number;
  /** Whom it asked, where it is known. */
  readonly provider: LLMProvider | undefined;
}

/** The statistics of some votes. `failed` counts who gave none. */
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
 * About how many independent votes correlated ones are worth (Kish): n² divided by the sum of all correlations. With 0.44, nine judges
 * of different models are worth two, as "Nine Judges, Two Effective Votes" measured. It is an assumption, not a measurement of these judges.
 */
export function effectiveVotes(votes: readonly Vote[], correlation: number): number {
  if (votes.length === 0) return 0;
  let sum = 0;
  for (const one of votes)
    for (const other of votes) sum += one === other ? 1 : together(one, other, correlation);
  return Math.round((votes.length ** 2 / sum) * 100) / 100;
}

function together(one: Vote, other: Vote, correlation: number): number {
  const same =
    one.member === other.member ||
    (one.provider !== undefined &&
      other.provider !== undefined &&
      one.provider.id === other.provider.id &&
      one.provider.model === other.provider.model);
  return same ? Math.max(sameModel, correlation) : correlation;
}
