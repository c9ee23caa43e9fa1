import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { checkList, invalid } from '../../../core/options.js';
import { checkProvider } from '../answer/ask-options.js';
import { withoutBounds } from './wrap-provider.js';

type Capabilities = LLMProvider['capabilities'];

/**
 * Returns a provider that asks the next provider if one fails. A bad answer is not a failure: after
 * a refusal or an unreadable answer, the next provider is not asked. `warnings` of the result name
 * the providers that failed and the one that answered.
 *
 * @throws ReviewLoopError `invalid_options`; a call rejects with the last error
 * @example
 * ```ts
 * const steady = withFallback([withRetry(first), second]);
 * ```
 */
export function withFallback(providers: readonly [LLMProvider, ...LLMProvider[]]): LLMProvider {
  checkList('providers', providers);
  if (providers.length === 0)
    throw invalid('providers', 'a list of at least one provider', providers);
  for (const provider of providers) checkProvider(provider);
  const capabilities = weakest(providers.map((provider) => provider.capabilities));
  const models = new Set(providers.map(({ model }) => model));
  const [model] = models;
  return {
    id: providers.map(({ id }) => id).join('|'),
    ...(models.size === 1 && model !== undefined ? { model } : {}),
    capabilities,
    generate: async (request) => {
      const failed: string[] = [];
      let last: unknown;
      for (const provider of providers) {
        try {
          return withWarnings(
            await provider.generate(fitting(request, provider, capabilities)),
            provider.id,
            failed,
          );
        } catch (error) {
          if (request.signal.aborted || !isOutage(error)) throw error;
          failed.push(`${provider.id} failed: ${error.code}`);
          last = error;
        }
      }
      throw last;
    },
  };
}

function withWarnings(result: LLMResult, id: string, failed: readonly string[]): LLMResult {
  if (failed.length === 0) return result;
  return {
    ...result,
    attempts: result.attempts + failed.length,
    warnings: [...failed, `${id} answered`, ...result.warnings],
  };
}

/** An unusable answer is not an outage. A prompt that is too long for one may fit another. */
function isOutage(error: unknown): error is ReviewLoopError {
  return (
    error instanceof ReviewLoopError &&
    /^(provider_|process_|(peer_missing|view_truncated)$)/.test(error.code)
  );
}

const structured: readonly Capabilities['structured'][] = ['prompt', 'json', 'tool', 'strict'];

function weakest(all: readonly Capabilities[]): Capabilities {
  const every = (flag: 'streaming' | 'reportsUsage' | 'reportsCost'): boolean =>
    all.every((one) => one[flag]);
  const subsets = new Set(all.map(({ schemaSubset }) => schemaSubset));
  return {
    structured: structured.find((way) => all.some((one) => one.structured === way)) ?? 'prompt',
    schemaSubset: subsets.has('openai')
      ? 'openai'
      : subsets.has('anthropic')
        ? 'anthropic'
        : 'full',
    streaming: every('streaming'),
    reportsUsage: every('reportsUsage'),
    reportsCost: every('reportsCost'),
  };
}

/** Anthropic refuses bounds of the OpenAI subset; the zod schema checks them anyway. */
function fitting(
  request: LLMRequest,
  { capabilities }: LLMProvider,
  shared: Capabilities,
): LLMRequest {
  if (
    request.schema === undefined ||
    capabilities.schemaSubset !== 'anthropic' ||
    shared.schemaSubset !== 'openai'
  )
    return request;
  return { ...request, schema: withoutBounds(request.schema) };
}
