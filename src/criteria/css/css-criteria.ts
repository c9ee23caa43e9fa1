import { checkKeys, checkRange } from '../../core/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { emptyContent } from '../files/empty-content.js';
import { definedVariables } from './defined-variables.js';
import { designTokens } from './design-tokens.js';
import { knownProperties } from './known-properties.js';
import { responsive } from './responsive.js';
import { isStylesheet } from './stylesheet.js';
import { visibleFocus } from './visible-focus.js';

export interface CssOptions {
  /** The share of colours, font sizes and spacing that must use tokens, 0 to 1. @default 0.8 */
  readonly tokenShare?: number | undefined;
}

/**
 * Creates the criteria for stylesheets: design tokens, responsive layout, known properties, defined
 * custom properties and a visible focus. Unreadable stylesheets are skipped; the criteria fail only
 * if none can be read.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = cssCriteria({ tokenShare: 0.6 });
 * const pipeline = definePipeline({ produce: designPage, reviewers });
 * ```
 */
export function cssCriteria(options: CssOptions = {}): ArtifactCriterion[] {
  checkKeys('cssCriteria', options, ['tokenShare']);
  const { tokenShare = 0.8 } = options;
  checkRange('tokenShare', tokenShare);
  return [
    designTokens(tokenShare),
    responsive(),
    knownProperties(),
    definedVariables(),
    visibleFocus(),
    emptyContent('css', isStylesheet),
  ];
}
