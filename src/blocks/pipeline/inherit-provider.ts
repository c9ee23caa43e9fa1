import { keepOrder } from '../../core/decorate-reviewer.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { call, invalid, text } from '../../core/options.js';
import { mayAsk } from '../../core/policy.js';
import type { Reviewer } from '../../core/reviewer.js';

interface Inheriting {
  readonly withProvider?: ((provider: LLMProvider) => unknown) | undefined;
}

export function inherit<Block extends object>(
  block: Block,
  provider: LLMProvider | undefined,
  name: string,
): Block {
  const { withProvider }: Inheriting = block;
  if (withProvider === undefined) return block;
  if (provider === undefined)
    throw new ReviewLoopError('provider_missing', `${name} needs a model, and no provider is set`);
  return withProvider(provider) as Block;
}

export function inheritReviewer<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  provider: LLMProvider | undefined,
): Reviewer<Task, Output> {
  return keepOrder(reviewer, inherit(reviewer, provider, reviewer.id));
}

/** All members of a reviewer; the compiler refuses an object that lacks one. */
type Members<Task, Output> = {
  readonly [Name in keyof Required<Reviewer<Task, Output>>]: Reviewer<Task, Output>[Name];
};

/**
 * Returns a frozen copy of a reviewer, so that nobody changes whom a pipeline asks, and when. Its
 * functions are called on the reviewer itself.
 */
export function ownedReviewer<Task, Output>(
  reviewer: Reviewer<Task, Output>,
): Reviewer<Task, Output> {
  const { id, version, tier, reuse, scope, after, review, fix } = reviewer;
  const { withProvider, checksFindings, countsEdits, severity, grading, asks } = reviewer;
  for (const [name, part] of Object.entries({ scope, fix, withProvider }))
    if (part !== undefined) call(`${name} of ${id}`, part);
  text(`version of ${id}`, version);
  if (reuse !== undefined && reuse !== 'run') throw invalid(`reuse of ${id}`, "'run'", reuse);
  return Object.freeze({
    id,
    version,
    tier,
    reuse,
    scope: scope?.bind(reviewer),
    after: after && Object.freeze([...after]),
    review: mayAsk(review) ? review.bind(reviewer) : review,
    fix: fix?.bind(reviewer),
    withProvider: withProvider?.bind(reviewer),
    checksFindings,
    countsEdits,
    severity,
    grading,
    asks,
  } satisfies Members<Task, Output>);
}
