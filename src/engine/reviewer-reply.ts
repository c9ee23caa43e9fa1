import type { Assessment } from '../core/assessment.js';
import type { ReviewLoopError } from '../core/errors.js';
import { deepFrozen } from '../core/json.js';
import type { JudgeIdentity } from '../core/policy.js';
import { type Reviewer, tiers } from '../core/reviewer.js';
import type { Usage } from '../core/usage.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';

export interface ReviewerReply {
  readonly reviewer: string;
  readonly assessments: readonly Assessment[];
  readonly proposal: unknown;
  /** The digest of the view that it read. */
  readonly view: string;
  readonly reused: boolean;
  /** The cost of asking; for a reused answer, the original cost. */
  readonly usage: Usage;
}

export interface Judging<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  readonly version: Version<Output>;
}

export function mayReuse<Task, Output>(
  { definition }: Judging<Task, Output>,
  { tier, scope, reuse }: Reviewer<Task, Output>,
): boolean {
  return (
    definition.reuse &&
    tier !== 'confirm' &&
    (scope !== undefined || (definition.verdicts !== undefined && reuse !== 'run'))
  );
}

export function mayRecover(assessment: Assessment): boolean {
  return assessment.verdict === 'errored' && assessment.error.retryable;
}

export interface View<Output> {
  readonly output: Output;
  readonly digest: string;
  /** How often it was edited, if the reviewer counts that. */
  readonly edits?: number | undefined;
}

export interface Judge<Task, Output> {
  readonly reviewer: Reviewer<Task, Output>;
  readonly view: View<Output>;
}

export interface Asked {
  readonly answered: ReviewerReply;
  readonly lasting: boolean;
}

/** Calls `onWait` when the reviewer starts to wait for a person. */
export type Ask = (onWait: () => void) => Promise<Asked>;

export type JudgeKind = Pick<Reviewer<never, never>, 'id' | 'tier' | 'asks' | 'withProvider'>;

export function isByCode(reviewer: string, reviewers: readonly JudgeKind[]): boolean {
  const judge = reviewers.find(({ id }) => id === reviewer);
  return judge?.tier === 'code' && judge.asks === undefined && judge.withProvider === undefined;
}

export const noWait = (): void => {};

export function erroredAnswer(
  reviewer: string,
  view: string,
  error: ReviewLoopError,
): ReviewerReply {
  return {
    reviewer,
    assessments: [{ verdict: 'errored', criterion: reviewer, error }],
    proposal: undefined,
    view,
    reused: false,
    usage: {},
  };
}

type Reviewers<Task, Output> = readonly Reviewer<Task, Output>[];

export interface ReviewerFacts<Task, Output> {
  readonly judges: readonly JudgeIdentity[];
  readonly tiers: readonly {
    readonly tier: Reviewer<Task, Output>['tier'];
    readonly reviewers: Reviewers<Task, Output>;
  }[];
  readonly hasConfirming: boolean;
  readonly hasFixers: boolean;
}

const known = new WeakMap<object, ReviewerFacts<never, never>>();

/** Computed once for each list that cannot change. */
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
