import { checkKeys, checkRange } from '../../core/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { designTokens } from './design-tokens.js';
import { responsive } from './responsive.js';

/** How strict the criteria about styles are. */
export interface CssOptions {
  /** The share of colours, font sizes and spacing that has to be set by tokens. @default 0.8 */
  readonly tokenShare?: number | undefined;
}

/**
 * The criteria about stylesheets: design tokens and responsive layout. What cannot be read is left out; it fails only where
 * no stylesheet can be read.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: designPage, reviewers: cssCriteria({ tokenShare: 0.6 }) });
 * ```
 */
export function cssCriteria(options: CssOptions = {}): ArtifactCriterion[] {
  checkKeys('cssCriteria', options, ['tokenShare']);
  const { tokenShare = 0.8 } = options;
  checkRange('tokenShare', tokenShare);
  return [designTokens(tokenShare), responsive()];
}
