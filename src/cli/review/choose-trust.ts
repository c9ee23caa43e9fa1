import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import type { Config } from '../../config/config.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import type { TrustName } from '../../pipeline/trust-names.js';

/** How far verdicts are to be trusted, and who looks a second time and confirms. */
export interface TrustSettings {
  readonly trust?: TrustName | undefined;
  /** Names of models. */
  readonly confirmWith?: readonly string[] | undefined;
}

/** The same with the models themselves. */
export interface TrustChoice {
  readonly trust: TrustName | undefined;
  readonly confirmWith: readonly LLMProvider[];
}

/**
 * The preset and the confirming judges of the options, where they name any, else of the configuration.
 *
 * @throws ReviewLoopError `usage`, `invalid_options`, `provider_missing`
 */
export async function chooseTrust(
  io: Pick<Io, 'err'>,
  options: TrustSettings,
  config: Config,
): Promise<TrustChoice> {
  const trust = options.trust ?? config.trust;
  const chosen = options.confirmWith ?? listed(config.confirmWith);
  if (chosen.length > 0 && trust === undefined)
    throw new ReviewLoopError(
      'usage',
      'confirming judges are asked under `--trust` only: name fast, guarded or autonomous',
    );
  const confirmWith: LLMProvider[] = [];
  for (const named of chosen) {
    if (named === 'auto')
      throw new ReviewLoopError(
        'usage',
        'a confirming judge is named, as openai:MODEL; `auto` could be the judge itself',
      );
    const provider = await chooseProvider(
      io,
      typeof named === 'string' ? { name: named } : named,
      true,
    );
    if (provider !== undefined) confirmWith.push(provider);
  }
  return { trust, confirmWith };
}

function listed(given: Config['confirmWith']): readonly (string | LLMProvider)[] {
  if (given === undefined) return [];
  return isList(given) ? given : [given];
}

function isList(
  given: NonNullable<Config['confirmWith']>,
): given is readonly (string | LLMProvider)[] {
  return Array.isArray(given);
}
