/**
 * Asks models: answers with a schema, fences, retries, budgets, caches, cassettes.
 *
 * @module
 */

export { type RateLimit, type RateLimitOptions, rateLimit } from '../../ports/rate-limit.js';
export {
  type SpendingLimit,
  type SpendingLimitOptions,
  spendingLimit,
} from '../../ports/spending-limit.js';
export { estimatedTokens } from '../../ports/token-counter.js';
export type { ModelAddress } from '../address/address-with-model.js';
export { gptTokens } from '../tokens/gpt/gpt-tokens.js';
export { askModel } from './answer/ask-model.js';
export type { AskModelOptions, ModelAnswer, ReadModelOptions } from './answer/ask-options.js';
export { type JsonSchema, toWireSchema, type WireSchema } from './answer/wire-schema.js';
export {
  type Cassette,
  memoryCassette,
  recordCassette,
  replayCassette,
} from './middleware/cassette.js';
export {
  type ModelBudget,
  type ModelBudgetOptions,
  type ModelPrices,
  modelBudget,
} from './middleware/model-budget.js';
export { type AnswerCache, memoryAnswers, withCache } from './middleware/with-cache.js';
export { withFallback } from './middleware/with-fallback.js';
export { withRetry, withTimeout } from './middleware/with-retry.js';
export { withBudget, withRateLimit, withSpendingLimit } from './middleware/with-spending-limit.js';
export { fence } from './prompt/fence.js';
export type { PromptSection } from './prompt/sections.js';
