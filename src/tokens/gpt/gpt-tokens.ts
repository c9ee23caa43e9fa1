import { loadPeer } from '../../core/load-peer.js';
import { checkKeys, invalid } from '../../core/options.js';
import type { TokenCounter } from '../../ports/token-counter.js';

/** Which dictionary counts. */
export interface GptTokensOptions {
  /** @default 'o200k_base' */
  readonly encoding?: 'o200k_base' | 'cl100k_base' | undefined;
}

/** What is used of the package; its own types do not compile without those of browsers. */
interface Dictionary {
  readonly countTokens: (
    text: string,
    options: { readonly disallowedSpecial: ReadonlySet<string> },
  ) => number;
}

const encodings = ['o200k_base', 'cl100k_base'] as const;

function dictionaryOf(encoding: string): Promise<Dictionary> {
  const module = `gpt-tokenizer/encoding/${encoding}`;
  return loadPeer(
    { feature: 'counting tokens exactly', packages: ['gpt-tokenizer'] },
    () => import(module) as Promise<Dictionary>,
  );
}

/** The time for a run without a break grows faster than its length, so longer ones are counted in pieces: at most a few tokens too many. */
const longRuns = /(\S{256}|\s{256})/;

/**
 * Counts tokens exactly as the models of OpenAI do, with the package `gpt-tokenizer`, which is loaded when it first counts. What
 * looks like a special token counts as the text that it is.
 *
 * @throws ReviewLoopError `invalid_options`; `peer_missing` when it counts and the package is not there
 * @example
 * ```ts
 * const clear = llmCriterion({ id: 'clear', question: 'Is it clear?', tokens: gptTokens() });
 * ```
 */
export function gptTokens(options: GptTokensOptions = {}): TokenCounter {
  checkKeys('gptTokens', options, ['encoding']);
  const { encoding = 'o200k_base' } = options;
  if (!encodings.includes(encoding))
    throw invalid('encoding', "'o200k_base' or 'cl100k_base'", encoding);
  return {
    id: encoding,
    count: async (text) => {
      const { countTokens } = await dictionaryOf(encoding);
      return text
        .split(longRuns)
        .reduce((sum, part) => sum + countTokens(part, { disallowedSpecial: new Set() }), 0);
    },
  };
}
