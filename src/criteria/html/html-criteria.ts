import { checkKeys, invalid } from '../../kernel/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { accessibleNames } from './accessible-names.js';
import { duplicateIds } from './duplicate-ids.js';
import { headingOrder } from './heading-order.js';
import { htmlLang } from './html-lang.js';
import { htmlTitle } from './html-title.js';
import { type HtmlOptions, htmlCriterion } from './rule.js';
import { viewport } from './viewport.js';

/**
 * The criteria about HTML: language, title, viewport, names of elements, ids, order of headings. Each gap has its line, and
 * those that need no guess are repaired in the source.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: designPage, reviewers: htmlCriteria({ language: 'en' }) });
 * ```
 */
export function htmlCriteria(options: HtmlOptions = {}): ArtifactCriterion[] {
  checkKeys('htmlCriteria', options, ['language']);
  const { language } = options;
  if (language !== undefined && !(typeof language === 'string' && /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(language))) throw invalid('language', 'a language tag such as "en"', language);
  return [htmlLang, htmlTitle, viewport, accessibleNames, duplicateIds, headingOrder].map((rule) => htmlCriterion(rule, options));
}
