import type { Votes } from '../core/assessment.js';
import type { Grade } from '../core/grade.js';
import type { LLMProvider } from '../core/llm-provider.js';

export interface Vote {
  readonly passed: boolean;
  /** The model that it asked, if known. */
  readonly provider: LLMProvider | undefined;
  /** The grade behind it, if the judge gave one. */
  readonly grade?: Grade | undefined;
}

/** Returns the statistics of some votes. `failed` counts the members that did not vote. */
export function votesOf(votes: readonly Pick<Vote, 'passed'>[], failed: number): Votes {
  const pass = votes.filter(({ passed }) => passed).length;
  const fail = votes.length - pass;
  const pairs = (votes.length * (votes.length - 1)) / 2;
  const agreeing = (pass * (pass - 1) + fail * (fail - 1)) / 2;
  return { pass, fail, failed, agreement: pairs === 0 ? 1 : agreeing / pairs };
}
