import { loadPeer } from '../../../core/load-peer.js';
import { checkKeys, invalid } from '../../../core/options.js';
import type { TokenCounter } from '../../../ports/token-counter.js';

export interface GptTokensOptions {
  /** The encoding of the model. @default 'o200k_base' */
  readonly encoding?: 'o200k_base' | 'cl100k_base' | undefined;
}

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

/**
 * Long runs without white space are counted in pieces, because counting time grows faster than
 * length. The count may be a few tokens too high.
 */
const longRuns = /(\S{256}|\s{256})/;

/**
 * Creates a counter that counts tokens like the models of OpenAI. It loads the package
 * `gpt-tokenizer` on first use. Special tokens in a text count as plain text.
 *
 * @throws ReviewLoopError `invalid_options`; `count` rejects with `peer_missing` without the
 *   package
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
