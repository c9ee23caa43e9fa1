import { checkKeys, invalid } from '../../../core/options.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { emptyContent, emptyFile } from '../files/content-rules.js';
import { isPage } from '../files/file-kind.js';
import { checkKnownFiles } from '../files/known-files.js';
import { type Element, keyword, type Page, rawText } from './dom.js';
import { Exposure } from './model/exposure.js';
import { isHtml, pagesOf } from './page.js';
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

/** Elements that people see without a text. */
const visible =
  /^(?:img|svg|picture|video|audio|canvas|iframe|object|embed|input|select|textarea|meter|progress|hr|math|frame)$/;

export function emptyPage(): ArtifactCriterion {
  return emptyContent(
    'html',
    (artifact) => isPage(artifact) || isHtml(artifact),
    async ({ file, type, source }) => {
      const { pages, unreadable } = await pagesOf({
        artifacts: [{ path: file, type, content: source }],
      });
      return [
        ...pages
          .filter((page) => !hasContent(page))
          .map((page) => emptyFile(page.file, 'shows neither text nor elements')),
        // no other check judges it, so it must not pass
        ...unreadable.map(({ reason }) => ({
          ...emptyFile(file, `cannot be checked: it has ${reason}`),
          suggestedFix: 'Nest elements less deeply, or split the page',
        })),
      ];
    },
  );
}

/** A page may show something only once its scripts have run. */
function hasContent(page: Page): boolean {
  const exposure = new Exposure(page);
  return page.elements.some(
    (element) =>
      mayWrite(element) ||
      (exposure.isShown(element) &&
        (visible.test(element.tagName) ||
          /\S/.test(rawText(element)) ||
          page.styles.get(element)?.generated === true)),
  );
}

/** Markup alone does not show such content. */
function mayWrite(element: Element): boolean {
  if (element.tagName === 'template') return true;
  if (element.tagName === 'meta') return keyword(element, 'http-equiv') === 'refresh';
  return element.tagName === 'script' && !keyword(element, 'type').includes('json');
}
