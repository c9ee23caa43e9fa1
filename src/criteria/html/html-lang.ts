import type { Edit } from '../artifact-criterion.js';
import { attribute, type Page } from './page.js';
import { foundInPage, setAttribute } from './place.js';
import type { HtmlRule, HtmlSubject } from './rule.js';

/** Every document says which language it is in. */
export const htmlLang: HtmlRule = {
  id: 'html-lang',
  name: 'Page language',
  description: 'Every document names its language: <html lang="...">',
  severity: 'major',
  category: 'missing',
  version: 1,
  things: 'documents',
  suggestedFix: 'Add the language of the page to the html element: <html lang="...">',
  repairs: true,
  judge: (subject) => {
    const documents = subject.pages.filter((page) => page.isDocument);
    const findings = documents.flatMap((page) => {
      const given = langOf(page);
      if (given !== undefined && isLanguage(given)) return [];
      const language = knownLanguage(page, subject);
      const edits = language === undefined ? undefined : langEdits(page, language);
      const description = given === undefined || given.trim() === '' ? 'the page does not say which language it is in' : `lang="${given.slice(0, 40)}" is no language tag`;
      return [foundInPage(page, { description, edits, suggestedFix: `Add lang="${language ?? '...'}" to the html element` })];
    });
    return { judged: documents.length, findings };
  },
};

function langOf(page: Page): string | undefined {
  const html = page.elements.find((element) => element.tagName === 'html');
  return html && attribute(html, 'lang');
}

function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,6}$/i.test(tag.trim());
}

/** The language, where it is written down somewhere: in the page, in the options, or alike in all other pages. */
function knownLanguage(page: Page, { pages, language }: HtmlSubject): string | undefined {
  const html = page.elements.find((element) => element.tagName === 'html');
  const meta = page.elements.find((element) => element.tagName === 'meta' && attribute(element, 'http-equiv')?.trim().toLowerCase() === 'content-language');
  const own = [html && attribute(html, 'xml:lang'), meta && attribute(meta, 'content'), language].find((tag) => tag !== undefined && isLanguage(tag));
  if (own !== undefined) return own.trim();
  const [first, ...rest] = new Set(pages.map(langOf).filter((tag) => tag !== undefined && isLanguage(tag)));
  return rest.length === 0 ? first?.trim() : undefined;
}

function langEdits(page: Page, language: string): readonly Edit[] | undefined {
  const html = page.elements.find((element) => element.tagName === 'html');
  const edit = html && setAttribute(html, 'lang', language);
  if (edit !== undefined) return [edit];
  const at = page.doctypeEnd;
  return at === undefined ? undefined : [{ start: at, end: at, text: `${/\r\n/.test(page.source) ? '\r\n' : '\n'}<html lang="${language}">` }];
}
