import { checkKeys, invalid } from '../../core/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { checkKnownFiles } from '../files/known-files.js';
import { emptyPage } from './empty-page.js';
import { type HtmlOptions, htmlCriterion } from './rule.js';
import { htmlRules } from './rules/html-rules.js';

/**
 * Creates the criteria for HTML: language, title, viewport, names of elements, ARIA roles and
 * attributes, focus, tables, ids, links, forms, files. They follow the W3C's ACT rules that markup
 * alone can decide.
 * Elements that depend on layout or scripts are reported as not checked. Each gap has its line. A
 * fix repairs gaps that need no guess.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = htmlCriteria({ language: 'en' });
 * const pipeline = definePipeline({ produce: designPage, reviewers });
 * ```
 */
export function htmlCriteria(options: HtmlOptions = {}): ArtifactCriterion[] {
  checkKeys('htmlCriteria', options, ['language', 'files']);
  const { language } = options;
  checkKnownFiles('files', options.files);
  if (
    language !== undefined &&
    !(typeof language === 'string' && /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(language))
  )
    throw invalid('language', 'a language tag such as "en"', language);
  return [...htmlRules.map((rule) => htmlCriterion(rule, options)), emptyPage()];
}
