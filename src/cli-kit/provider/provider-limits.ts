import type { ConfiguredLimits } from '../../config/limits-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { withRateLimit } from '../../model/middleware/with-rate-limit.js';
import { withSpendingLimit } from '../../model/middleware/with-spending-limit.js';
import { nodeErrors } from '../../node/errors.js';
import { type RateLimit, rateLimit } from '../../ports/rate-limit.js';
import type { SpendingLimit } from '../../ports/spending-limit.js';
import type { SharedLimits } from '../../stores/postgres/shared-limits.js';

/** Returns a provider under the limits of a command. */
export type LimitProvider = (provider: LLMProvider) => LLMProvider;

/** Calls of a minute, unless the configuration says another number. */
const callsPerMinute = 120;

/**
 * Returns a function that puts providers under the limits of the configuration: in this process,
 * or shared by all commands over the same store.
 *
 * @param shared - The limits of the store, if it can share them.
 * @throws ReviewLoopError `usage` if a limit needs a store that can share it
 */
export function providerLimits(
  limits: ConfiguredLimits = {},
  shared?: Pick<SharedLimits, 'rateLimit' | 'spendingLimit'>,
): LimitProvider {
  const { key = 'default', requestsPerMinute = callsPerMinute, tokensPerMinute } = limits;
  const isNamed = limits.requestsPerMinute !== undefined || tokensPerMinute !== undefined;
  const rateOf = (id: string): RateLimit => {
    const minute = { requestsPerMinute, ...(tokensPerMinute !== undefined && { tokensPerMinute }) };
    // a limit that nobody named protects the service from this process only
    return shared === undefined || !isNamed
      ? rateLimit(minute)
      : shared.rateLimit({ key: `${key}: ${id}`.slice(0, 200), ...minute });
  };
  const money = spendingOf(limits, key, shared);
  return (provider) => {
    const limited = withRateLimit(provider, rateOf(provider.id));
    if (money === undefined) return limited;
    const prices = limits.prices?.[provider.id];
    if (prices === undefined && !provider.capabilities.reportsCost)
      throw new ReviewLoopError(
        nodeErrors.usage,
        `limits.usdPerDay requires the prices of ${provider.id}: add them to limits.prices ` +
          'of the configuration',
      );
    return withSpendingLimit(limited, money, prices === undefined ? {} : { prices });
  };
}

function spendingOf(
  { usdPerDay, timeZone }: ConfiguredLimits,
  key: string,
  shared: Pick<SharedLimits, 'spendingLimit'> | undefined,
): SpendingLimit | undefined {
  if (usdPerDay === undefined) return undefined;
  if (shared === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      'limits.usdPerDay requires --store postgres://...: no other store counts for all commands of a day',
    );
  return shared.spendingLimit({ key, usdPerDay, ...(timeZone !== undefined && { timeZone }) });
}
