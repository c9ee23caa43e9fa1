import { loadSpellingSettings } from '../../config/load-spelling-settings.js';
import type { ConfiguredSpelling } from '../../config/spelling-config.js';
import type { CriteriaSet } from './criteria-sets.js';

/** What the criterion for spelling needs. */
export interface SpellingAround {
  readonly cwd: string;
  readonly configFile: string | undefined;
  readonly spelling: { readonly options: ConfiguredSpelling };
}

/**
 * Loads the criterion for spelling. `why` names the settings that it does not read.
 *
 * @throws ReviewLoopError `peer_missing`, `config_invalid`, `config_unreadable`
 */
export async function spellingSet({
  cwd,
  configFile,
  spelling,
}: SpellingAround): Promise<CriteriaSet> {
  const { spellingCriteria } = await import('../../criteria/spelling/index.js');
  const { settings, words = [], wrongWords = [], ...options } = spelling.options;
  const own = settings && (await loadSpellingSettings(cwd, settings, configFile));
  if (!own)
    return {
      name: 'spelling',
      reviewers: await spellingCriteria({ ...options, words, wrongWords }),
    };
  return {
    name: 'spelling',
    reviewers: await spellingCriteria({
      ...options,
      words: [...own.words, ...words],
      wrongWords: [...own.wrongWords, ...wrongWords],
    }),
    ...(own.ignored.length > 0 && { why: `${settings}: not read: ${own.ignored.join(', ')}` }),
  };
}
