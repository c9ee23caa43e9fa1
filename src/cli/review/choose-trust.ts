import { merged, type Sources } from '../../cli-kit/flags/merged.js';
import type { ProviderChoice } from '../../cli-kit/provider/provider-choice.js';
import type { Config } from '../../config/config.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { nodeErrors } from '../../node/errors.js';
import type { TrustName } from '../../pipeline/trust-names.js';

const sources = {
  trust: { flag: 'trust', member: 'trust' },
  confirmWith: { flag: 'confirmWith', member: 'confirmWith' },
} as const satisfies Sources<TrustSettings, Config>;

/** The trust preset, and the names of the other judges. */
export interface TrustSettings {
  readonly trust: TrustName | undefined;
  /** Names of models. */
  readonly confirmWith: readonly string[];
}

/** The trust preset, and the other judges as providers. */
export interface TrustChoice {
  readonly trust: TrustName | undefined;
  readonly confirmWith: readonly LLMProvider[];
}

/**
 * Returns the preset and the other judges of the flags, or else those of the configuration.
 *
 * @param choose - Returns the provider of a choice: `chooseProvider` or `reopenProvider`.
 * @throws ReviewLoopError `usage`; errors of `choose`
 */
export async function chooseTrust(
  options: TrustSettings,
  config: Config,
  choose: (choice: ProviderChoice | LLMProvider) => Promise<LLMProvider | undefined>,
): Promise<TrustChoice> {
  const { trust, confirmWith: others = [] } = merged(sources, options, config);
  const chosen: readonly (string | LLMProvider)[] = isList(others) ? others : [others];
  if (chosen.length > 0 && trust === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      '--confirm-with requires --trust: pass fast, guarded or autonomous',
    );
  const confirmWith: LLMProvider[] = [];
  for (const named of chosen) {
    if (named === 'auto')
      throw new ReviewLoopError(
        nodeErrors.usage,
        '--confirm-with cannot be auto, because auto may choose the judge itself; name a model, such as openai:MODEL',
      );
    const provider = await choose(typeof named === 'string' ? { name: named } : named);
    if (provider !== undefined) confirmWith.push(provider);
  }
  return { trust, confirmWith };
}

function isList(
  given: NonNullable<Config['confirmWith']>,
): given is readonly (string | LLMProvider)[] {
  return Array.isArray(given);
}
