import { keepOrder } from '../core/decorate-reviewer.js';
import { ReviewLoopError } from '../core/errors.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer } from '../core/reviewer.js';

/** What may lack a provider: a reviewer, or a function that asks a model. */
interface Inheriting {
  readonly withProvider?: ((provider: LLMProvider) => unknown) | undefined;
}

/**
 * The block with the provider of the pipeline, where it lacks one of its own.
 *
 * @throws ReviewLoopError `provider_missing` when there is none
 */
export function inherit<Block extends object>(
  block: Block,
  provider: LLMProvider | undefined,
  name: string,
): Block {
  const { withProvider }: Inheriting = block;
  if (withProvider === undefined) return block;
  if (provider === undefined)
    throw new ReviewLoopError('provider_missing', `${name} asks a model and names no provider`);
  return withProvider(provider) as Block;
}

/**
 * Returns a reviewer with the provider, in its place of the order.
 *
 * @throws ReviewLoopError `provider_missing`
 */
export function inheritReviewer<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  provider: LLMProvider | undefined,
): Reviewer<Task, Output> {
  return keepOrder(reviewer, inherit(reviewer, provider, reviewer.id));
}
