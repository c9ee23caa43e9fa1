import type { Edit, Found } from '../../artifact-criterion.js';
import { attribute, type Element, type Page } from '../dom.js';
import { isLanguageTag, primaryOf } from '../model/language.js';
import { isUnknown } from '../model/placeholders.js';
import { foundInPage, setAttribute, uncheckedAt } from '../place.js';
import type { HtmlJudgement, HtmlRule, HtmlSubject } from '../rule.js';

const suggestedFix = 'Add the language of the page to the html element: <html lang="...">';
const common = {
  severity: 'major',
  things: 'documents',
  suggestedFix,
  repairs: true,
  wcag: '3.1.1',
} as const;

export const htmlLang: HtmlRule = {
  ...common,
  id: 'html-lang',
  name: 'Page language',
  description: 'Every document names its language: <html lang="...">',
  category: 'missing',
  version: 2,
  act: ['b5c3f8'],
  judge: (subject) => {
    const documents = subject.pages.filter((page) => page.isDocument);
    const findings = documents.flatMap((page) =>
      hasLang(page) ? [] : [langFinding(page, subject, 'the page does not state its language')],
    );
    return { judged: documents.length, findings };
  },
};

export const htmlLangValid: HtmlRule = {
  ...common,
  id: 'html-lang-valid',
  name: 'Valid page language',
  description: 'The language of every document is a language tag',
  category: 'incorrect',
  version: 1,
  act: ['bf051a'],
  judge: (subject) =>
    judgeGiven(subject, (page, lang) =>
      isLanguageTag(lang)
        ? undefined
        : langFinding(page, subject, `lang="${lang.slice(0, 40)}" is not a language tag`),
    ),
};

/** The rule against contradictions of `lang` and `xml:lang`. */
export const htmlXmlLang: HtmlRule = {
  ...common,
  id: 'html-xml-lang',
  name: 'One page language',
  description: 'xml:lang of the html element names the same language as lang',
  category: 'incorrect',
  version: 1,
  things: 'documents with xml:lang',
  suggestedFix: 'Give lang and xml:lang the same language',
  act: ['5b7ae0'],
  repairs: false,
  judge: (subject) =>
    judgeGiven(
      {
        ...subject,
        pages: subject.pages.filter(
          (page) => (xmlLangOf(page) ?? '').trim() !== '' && isLanguageTag(langOf(page) ?? ''),
        ),
      },
      (page, lang) => {
        const other = xmlLangOf(page) ?? '';
        const description = `lang="${lang.slice(0, 40)}" and xml:lang="${other.slice(0, 40)}" are different languages`;
        return primaryOf(other) === primaryOf(lang)
          ? undefined
          : foundInPage(page, { description, suggestedFix: 'Give both the same language' });
      },
    ),
};

function judgeGiven(
  { pages }: HtmlSubject,
  judge: (page: Page, lang: string) => Found | undefined,
): HtmlJudgement {
  const findings: Found[] = [];
  const unchecked: string[] = [];
  let judged = 0;
  for (const page of pages) {
    const html = htmlOf(page);
    const lang = langOf(page)?.trim() ?? '';
    if (html === undefined || !page.isDocument) continue;
    if (isUnknown(html, 'lang'))
      unchecked.push(uncheckedAt(page, html, 'the language comes from a template'));
    else if (lang !== '') {
      judged += 1;
      const found = judge(page, lang);
      if (found !== undefined) findings.push(found);
    }
  }
  return { judged, findings, unchecked };
}

function langFinding(page: Page, subject: HtmlSubject, description: string): Found {
  const language = knownLanguage(page, subject);
  const edits = language === undefined ? undefined : langEdits(page, language);
  return foundInPage(page, {
    description,
    edits,
    suggestedFix: `Add lang="${language ?? '...'}" to the html element`,
  });
}

function htmlOf(page: Page): Element | undefined {
  return page.elements.find((element) => element.tagName === 'html');
}

function langOf(page: Page): string | undefined {
  const html = htmlOf(page);
  return html && attribute(html, 'lang');
}

function xmlLangOf(page: Page): string | undefined {
  const html = htmlOf(page);
  return html && attribute(html, 'xml:lang');
}

function hasLang(page: Page): boolean {
  const html = htmlOf(page);
  return (
    html !== undefined && ((attribute(html, 'lang') ?? '').trim() !== '' || isUnknown(html, 'lang'))
  );
}

/** Returns the language from the page, from the options, or from all other pages if they agree. */
function knownLanguage(page: Page, { everyPage, language }: HtmlSubject): string | undefined {
  const meta = page.elements.find(
    (element) =>
      element.tagName === 'meta' &&
      attribute(element, 'http-equiv')?.trim().toLowerCase() === 'content-language',
  );
  const own = [xmlLangOf(page), meta && attribute(meta, 'content'), language].find(
    (tag) => tag !== undefined && isLanguageTag(tag),
  );
  if (own !== undefined) return own.trim();
  const [first, ...rest] = new Set(
    everyPage.map(langOf).filter((tag) => tag !== undefined && isLanguageTag(tag)),
  );
  return rest.length === 0 ? first?.trim() : undefined;
}

function langEdits(page: Page, language: string): readonly Edit[] | undefined {
  const html = htmlOf(page);
  const edit = html && setAttribute(html, 'lang', language);
  if (edit !== undefined) return [edit];
  const at = page.doctypeEnd;
  return at === undefined
    ? undefined
    : [
        {
          start: at,
          end: at,
          text: `${/\r\n/.test(page.source) ? '\r\n' : '\n'}<html lang="${language}">`,
        },
      ];
}
