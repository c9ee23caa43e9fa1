import type { CompletedWork } from '../../kernel/completed-work.js';
import type { ReviewDepth } from '../../kernel/dimension.js';
import type { DimensionBar } from '../../reviewers/from-dimension.js';
import type { StageSettings } from './stage-options.js';

/** Simple work gets a quick review: few files, and few tokens in them. */
export function reviewDepth({ simple, tokens }: Pick<StageSettings, 'simple' | 'tokens'>): NonNullable<DimensionBar['depth']> {
  return {
    version: `${simple.files}/${simple.tokens}/${tokens.id}`,
    of: async ({ request, changedFiles }: CompletedWork): Promise<ReviewDepth> => {
      if (changedFiles.length > simple.files) return 'thorough';
      let used = await tokens.count(request);
      for (const { content = '', diff = '' } of changedFiles) used += await tokens.count(content.length > diff.length ? content : diff);
      return used > simple.tokens ? 'thorough' : 'quick';
    },
  };
}
