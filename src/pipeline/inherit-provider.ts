import { keepOrder } from '../core/decorate-reviewer.js';
import { ReviewLoopError } from '../core/errors.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer } from '../core/reviewer.js';

/** A block that may need a provider: a reviewer, or a function that asks a model. */
interface Inheriting {
  readonly withProvider?: ((provider: LLMProvider) => unknown) | undefined;
}

/**
 * Returns the block, with the provider of the pipeline if it has no other.
 *
 * @throws ReviewLoopError `provider_missing` if neither has a provider
 */
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

/**
 * Returns the reviewer with a provider and with its `after`.
 *
 * @throws ReviewLoopError `provider_missing`
 */
export function inheritReviewer<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  provider: LLMProvider | undefined,
): Reviewer<Task, Output> {
  return keepOrder(reviewer, inherit(reviewer, provider, reviewer.id));
}
