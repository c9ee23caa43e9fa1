/**
 * Asks models: answers with a schema, fences, retries, budgets, caches, cassettes.
 *
 * @module
 */

export type {
  AddressWithModelOptions,
  ModelAddress,
  ModelAddressContext,
} from '../address/address-with-model.js';
export {
  type RateLimit,
  type RateLimitOptions,
  type RatePass,
  rateLimit,
} from '../ports/rate-limit.js';
export {
  type SpendingDay,
  type SpendingLimit,
  type SpendingLimitOptions,
  type SpendingReservation,
  spendingLimit,
} from '../ports/spending-limit.js';
export { estimatedTokens } from '../ports/token-counter.js';
export { askModel } from './answer/ask-model.js';
export type {
  AnswerReading,
  AskModelOptions,
  ModelAnswer,
  ReadModelOptions,
} from './answer/ask-options.js';
export type { JsonSchema } from './answer/json-schema.js';
export type { WireTarget } from './answer/schema-subset.js';
export { toWireSchema, type WireSchema } from './answer/wire-schema.js';
export {
  type Cassette,
  type CassetteEntry,
  memoryCassette,
  recordCassette,
  replayCassette,
} from './middleware/cassette.js';
export {
  type ModelBudget,
  type ModelBudgetOptions,
  type ModelReservation,
  modelBudget,
} from './middleware/model-budget.js';
export type { ModelPrices } from './middleware/model-prices.js';
export {
  type AnswerCache,
  type CacheOptions,
  memoryAnswers,
  withCache,
} from './middleware/with-cache.js';
export { withFallback } from './middleware/with-fallback.js';
export { type RetryOptions, withRetry, withTimeout } from './middleware/with-retry.js';
export {
  type ExpectedOptions,
  type WithBudgetOptions,
  type WithSpendingLimitOptions,
  withBudget,
  withRateLimit,
  withSpendingLimit,
} from './middleware/with-spending-limit.js';
export { type FencedText, fence, readFences } from './prompt/fence.js';
export type { PromptSection } from './prompt/sections.js';
