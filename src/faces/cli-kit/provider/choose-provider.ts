import {
  findProvider,
  keyVariables,
  type ProviderFromOptions,
  providerFrom,
} from '../../../adapters/providers/provider-from.js';
import { schemaRefusedBy } from '../../../adapters/providers/shared/service-client.js';
import type { SharedLimits } from '../../../adapters/stores/postgres/shared-limits.js';
import { withRetry, withTimeout } from '../../../blocks/models/middleware/with-retry.js';
import {
  withRateLimit,
  withSpendingLimit,
} from '../../../blocks/models/middleware/with-spending-limit.js';
import { wrapProvider } from '../../../blocks/models/middleware/wrap-provider.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { type RateLimit, rateLimit } from '../../../ports/rate-limit.js';
import type { SpendingLimit } from '../../../ports/spending-limit.js';
import type { ConfiguredLimits } from '../../config/config-parts.js';
import { usageError } from '../errors.js';
import { flagName } from '../flags/flag.js';
import type { Io } from '../io.js';

export interface ProviderDetails
  extends Pick<ProviderFromOptions, 'baseUrl' | 'contextTokens' | 'structured'> {
  readonly model?: string | undefined;
}

export interface ProviderChoice extends ProviderDetails {
  readonly name: string;
  readonly env?: readonly string[] | undefined;
}

const callTimeoutMs = 120_000;

/**
 * It has retries, a timeout and a rate limit. Without a choice, it returns undefined; an API key in
 * the environment is reported, never used.
 */
export async function chooseProvider(
  io: Pick<Io, 'err'>,
  choice: ProviderChoice | LLMProvider | undefined,
  quiet: boolean,
): Promise<LLMProvider | undefined> {
  return chooseLimited(io, choice, { quiet, limit: providerLimits() });
}

export interface ChoiceOptions {
  readonly quiet: boolean;
  readonly limit: LimitProvider;
}

export async function chooseLimited(
  io: Pick<Io, 'err'>,
  choice: ProviderChoice | LLMProvider | undefined,
  { quiet, limit }: ChoiceOptions,
): Promise<LLMProvider | undefined> {
  if (choice === undefined) {
    const set = Object.keys(keyVariables).filter((name) => (process.env[name] ?? '') !== '');
    if (set.length > 0 && !quiet)
      io.err(`${set.join(' and ')} is set but not used; pass --provider to ask a model\n`);
    return undefined;
  }
  if ('generate' in choice) return patient(choice, limit, io);
  const chosen = await named(choice);
  if (chosen.because !== undefined) io.err(`provider: ${chosen.provider.id} (${chosen.because})\n`);
  const { requireReady } = await import('./require-ready.js');
  await requireReady(chosen.name, choice.baseUrl);
  return patient(chosen.provider, limit, io);
}

/** Does not look whether it can work. */
export async function patientProvider(
  choice: ProviderChoice | LLMProvider,
  limit: LimitProvider = providerLimits(),
): Promise<LLMProvider> {
  return patient('generate' in choice ? choice : (await named(choice)).provider, limit);
}

/** Nothing else retries what this has retried. */
function patient(provider: LLMProvider, limit: LimitProvider, io?: Pick<Io, 'err'>): LLMProvider {
  const retried = withRetry(limit(withTimeout(provider, callTimeoutMs)));
  const news = schemaRefusedBy(provider.id);
  return wrapProvider(retried, async (request) => {
    try {
      const result = await retried.generate(request);
      if (result.warnings?.includes(news)) io?.err(`${news}\n`);
      return result;
    } catch (error) {
      throw error instanceof ReviewLoopError && !error.code.startsWith('answer_')
        ? final(error)
        : error;
    }
  });
}

function final(error: ReviewLoopError): ReviewLoopError {
  const { code, kind, fix, what, value } = error;
  return new ReviewLoopError({ code, kind, fix }, what, { value, cause: error });
}

interface NamedProvider {
  readonly name: string;
  readonly provider: LLMProvider;
  readonly because?: string | undefined;
}

async function named({ name, model, env, ...details }: ProviderChoice): Promise<NamedProvider> {
  if (name !== 'auto') {
    const full = model === undefined ? name : `${name}:${model}`;
    return { name: full, provider: await providerFrom(full, { ...details, allowEnv: env }) };
  }
  if (model === undefined) throw usageError('--provider auto requires --model');
  const [only] = Object.keys(details);
  if (only !== undefined) throw usageError(`${flagName(only)} requires a named provider, not auto`);
  const found = await findProvider({ model });
  return { name: found.provider.id, ...found };
}

export type LimitProvider = (provider: LLMProvider) => LLMProvider;

/** The configuration may say another number. */
const callsPerMinute = 120;

/**
 * They hold in this process, or for all commands over the same store.
 *
 * @param shared - The limits of the store, if it can share them.
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
      throw usageError(
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
    throw usageError(
      'limits.usdPerDay requires --store postgres://...: no other store counts for all commands of a day',
    );
  return shared.spendingLimit({ key, usdPerDay, ...(timeZone !== undefined && { timeZone }) });
}
