import { deepFrozen } from '../core/freeze.js';
import type { JudgeIdentity } from '../core/policy.js';
import { type Reviewer, tiers } from '../core/reviewer.js';

type Reviewers<Task, Output> = readonly Reviewer<Task, Output>[];

/** What the reviews of all runs of a pipeline ask of its reviewers. */
export interface ReviewerFacts<Task, Output> {
  /** What policies see of them. */
  readonly judges: readonly JudgeIdentity[];
  /** The reviewers of each tier that has some, in the order of the tiers. */
  readonly tiers: readonly {
    readonly tier: Reviewer<Task, Output>['tier'];
    readonly reviewers: Reviewers<Task, Output>;
  }[];
  readonly hasConfirming: boolean;
  readonly hasFixers: boolean;
}

const known = new WeakMap<object, ReviewerFacts<never, never>>();

/** Returns the facts of reviewers, once for each list that cannot change. */
export function factsOf<Task, Output>(
  reviewers: Reviewers<Task, Output>,
): ReviewerFacts<Task, Output> {
  const found = known.get(reviewers) as ReviewerFacts<Task, Output> | undefined;
  if (found !== undefined) return found;
  const facts: ReviewerFacts<Task, Output> = {
    judges: deepFrozen(reviewers.map(({ id, version, tier }) => ({ id, version, tier }))),
    tiers: tiers
      .map((tier) => ({ tier, reviewers: reviewers.filter((one) => one.tier === tier) }))
      .filter((one) => one.reviewers.length > 0),
    hasConfirming: reviewers.some(({ tier }) => tier === 'confirm'),
    hasFixers: reviewers.some(({ fix }) => fix !== undefined),
  };
  if (Object.isFrozen(reviewers)) known.set(reviewers, facts as ReviewerFacts<never, never>);
  return facts;
}
