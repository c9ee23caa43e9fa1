import type { Edit } from '../../artifact-criterion.js';
import { attribute, type Element, isFilled, keyword, type Page, parentOf, setOf } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { isUnknown } from '../model/roles.js';
import { type FoundAt, setAttribute } from '../page.js';
import { type HtmlRule, type HtmlSubject, htmlRule, ofDocuments } from '../rule.js';

const ofPage = {
  things: 'documents',
  suggestedFix: 'Add the language of the page to the html element: <html lang="...">',
  repairs: true,
  everywhere: true,
  wcag: '3.1.1',
} as const;
const unknown = { unchecked: 'the language comes from a template' };

export const languageRules: readonly HtmlRule[] = [
  htmlRule({
    ...ofPage,
    id: 'html-lang',
    name: 'Page language',
    description: 'Every document names its language: <html lang="...">',
    category: 'missing',
    version: 2,
    act: ['b5c3f8'],
    judge: ofDocuments((html, { page }, subject) =>
      isFilled(html, 'lang') || isUnknown(html, 'lang')
        ? []
        : [withLanguage('the page does not state its language', html, { page, subject })],
    ),
  }),
  htmlRule({
    ...ofPage,
    id: 'html-lang-valid',
    name: 'Valid page language',
    description: 'The language of every document is a language tag',
    act: ['bf051a'],
    judge: ofDocuments((html, { page }, subject) => {
      const lang = attribute(html, 'lang')?.trim() ?? '';
      if (isUnknown(html, 'lang')) return unknown;
      if (lang === '') return undefined;
      return isLanguageTag(lang) ? [] : [withLanguage(notATag(lang), html, { page, subject })];
    }),
  }),
  htmlRule({
    ...ofPage,
    id: 'html-xml-lang',
    name: 'One page language',
    description: 'xml:lang of the html element names the same language as lang',
    things: 'documents with xml:lang',
    suggestedFix: 'Give lang and xml:lang the same language',
    act: ['5b7ae0'],
    repairs: false,
    judge: ofDocuments((html) => {
      const [lang, other] = ['lang', 'xml:lang'].map((name) => attribute(html, name)?.trim() ?? '');
      if (lang === undefined || !isLanguageTag(lang) || !other) return undefined;
      const description = `lang="${lang.slice(0, 40)}" and xml:lang="${other.slice(0, 40)}" are different languages`;
      return primaryOf(other) === primaryOf(lang)
        ? []
        : [{ description, suggestedFix: 'Give both the same language' }];
    }),
  }),
  htmlRule({
    id: 'lang-valid',
    name: 'Valid languages of parts',
    description: 'Every lang attribute in the body is a language tag',
    version: 2,
    wcag: '3.1.2',
    act: ['de46e4'],
    things: 'lang attributes',
    suggestedFix: 'Write a language tag such as "en" or "pt-BR"',
    everywhere: true,
    judge: (model) => {
      const speaking = speakingParts(model);
      return (element) => {
        if (!speaking.has(element)) return undefined;
        if (isUnknown(element, 'lang')) return unknown;
        const lang = attribute(element, 'lang') ?? '';
        return isLanguageTag(lang) ? [] : [notATag(lang)];
      };
    },
  }),
];

function notATag(lang: string): string {
  return `lang="${lang.slice(0, 40)}" is not a language tag`;
}

interface Setting {
  readonly page: Page;
  readonly subject: HtmlSubject;
}

function withLanguage(description: string, html: Element, setting: Setting): FoundAt {
  const language = knownLanguage(html, setting);
  return {
    description,
    edits: language === undefined ? undefined : langEdits(html, setting.page, language),
    suggestedFix: `Add lang="${language ?? '...'}" to the html element`,
  };
}

function knownLanguage(html: Element, { page, subject }: Setting): string | undefined {
  const { everyPage, language } = subject;
  const meta = page.elements.find(
    (element) =>
      element.tagName === 'meta' && keyword(element, 'http-equiv') === 'content-language',
  );
  const isTag = (tag: string | undefined): tag is string => tag !== undefined && isLanguageTag(tag);
  const own = [attribute(html, 'xml:lang'), meta && attribute(meta, 'content'), language];
  const others = new Set(everyPage.map(langOf).filter(isTag));
  return (own.find(isTag) ?? (others.size === 1 ? [...others][0] : undefined))?.trim();
}

function langOf({ elements }: Page): string | undefined {
  const html = elements.find(({ tagName }) => tagName === 'html');
  return html && attribute(html, 'lang');
}

function langEdits(html: Element, page: Page, language: string): readonly Edit[] | undefined {
  const edit = setAttribute(html, 'lang', language);
  if (edit !== undefined) return [edit];
  const at = page.doctypeEnd;
  const lineEnd = page.source.includes('\r\n') ? '\r\n' : '\n';
  return at === undefined
    ? undefined
    : [{ start: at, end: at, text: `${lineEnd}<html lang="${language}">` }];
}

function speakingParts({ page, exposure }: PageModel): ReadonlySet<Element> {
  const nearest = new Map<Element, Element>();
  const speaking = new Set<Element>();
  for (const element of page.elements) {
    const parent = parentOf(element);
    const lang =
      element.tagName !== 'html' && (attribute(element, 'lang') ?? '') !== ''
        ? element
        : parent && nearest.get(parent);
    if (lang === undefined) continue;
    nearest.set(element, lang);
    if (saysSomething(element) && exposure.isShown(element)) speaking.add(lang);
  }
  return speaking;
}

function saysSomething(element: Element): boolean {
  return (
    ['alt', 'aria-label', 'title', 'placeholder'].some((name) => isFilled(element, name)) ||
    element.childNodes.some(
      (node) => node.nodeName === '#text' && 'value' in node && node.value.trim() !== '',
    )
  );
}

/** ISO 639-1, including withdrawn codes. */
const short = setOf(`
  aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
  de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
  ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la
  lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj
  om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv
  sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`);

/**
 * BCP 47. It begins with a two-letter code of ISO 639-1, or three letters without a two-letter
 * form.
 */
function isLanguageTag(text: string): boolean {
  const tag = text.trim();
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/i.test(tag)) return false;
  const first = primaryOf(tag);
  return first.length === 2 ? short.has(first) : Intl.getCanonicalLocales(first)[0]?.length === 3;
}

function primaryOf(tag: string): string {
  return tag.trim().toLowerCase().split('-', 1)[0] ?? '';
}
