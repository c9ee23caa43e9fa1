import { checkKeys, invalid } from '../../core/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { type HtmlOptions, htmlCriterion } from './rule.js';
import { htmlRules } from './rules/html-rules.js';

/**
 * The criteria about HTML: language, title, viewport, names of things, roles and attributes of WAI-ARIA, focus, tables, ids. They
 * follow the rules of the W3C (ACT) that markup alone can decide; what needs layout or scripts is named as not checked. Each gap
 * has its line, and those that need no guess are repaired in the source.
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
  if (
    language !== undefined &&
    !(typeof language === 'string' && /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(language))
  )
    throw invalid('language', 'a language tag such as "en"', language);
  return htmlRules.map((rule) => htmlCriterion(rule, options));
}
