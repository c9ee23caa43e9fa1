import { cachedCounterFor } from '../ports/cached-counter.js';
import type { CompletedWork } from './completed-work.js';
import type { ReviewDepth } from './dimension.js';
import type { DimensionBar } from './from-dimension.js';
import type { StageSettings } from './stage-settings.js';

/** Returns the rule that chooses a quick review for simple work: few files with few tokens. */
export function reviewDepth({
  simple,
  tokens,
}: Pick<StageSettings, 'simple' | 'tokens'>): NonNullable<DimensionBar['depth']> {
  return {
    version: `${simple.files}/${simple.tokens}/${tokens.id}`,
    of: async (work: CompletedWork): Promise<ReviewDepth> => {
      const { request, changedFiles } = work;
      if (changedFiles.length > simple.files) return 'thorough';
      const counter = cachedCounterFor(work, tokens);
      let used = await counter.count(request);
      for (const { content = '', diff = '' } of changedFiles)
        used += await counter.count(content.length > diff.length ? content : diff);
      return used > simple.tokens ? 'thorough' : 'quick';
    },
  };
}
