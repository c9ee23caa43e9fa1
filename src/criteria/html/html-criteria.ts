import { checkKeys, invalid } from '../../core/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { checkKnownFiles } from '../files/known-files.js';
import { emptyPage } from './empty-page.js';
import { type HtmlOptions, type HtmlRule, htmlCriterion } from './rule.js';
import { ariaRules } from './rules/aria-rules.js';
import { documentRules } from './rules/document-rules.js';
import { focusRules } from './rules/focus-rules.js';
import { languageRules } from './rules/language-rules.js';
import { linkRules } from './rules/link-rules.js';
import { mediaRules } from './rules/media-rules.js';
import { nameRules } from './rules/name-rules.js';
import { outlineRules } from './rules/outline-rules.js';
import { wordRules } from './rules/word-rules.js';

/** The rules for HTML, in the order of their criteria. */
export const htmlRules: readonly HtmlRule[] = [
  ...languageRules,
  ...documentRules,
  ...nameRules,
  ...wordRules,
  ...outlineRules,
  ...ariaRules,
  ...focusRules,
  ...mediaRules,
  ...linkRules,
];

/**
 * Creates the criteria for HTML: language, title, viewport, names of elements, ARIA roles and
 * attributes, focus, tables, ids, links, forms, files. They follow the W3C's ACT rules that markup
 * alone can decide. What depends on layout or scripts is reported as not checked. Each gap has its
 * line. A fix repairs gaps that need no guess.
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
