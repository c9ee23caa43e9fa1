import { attribute, type Element, parentOf } from '../dom.js';
import type { PageModel } from '../model/page-model.js';
import { isPlaceholder } from '../model/placeholders.js';
import { type HtmlRule, judgeEach } from '../rule.js';
import { links } from './named-kinds.js';

/** Names that say nothing about a target, wherever the link stands. */
const empty = new Set(
  `click here|click|here|click this|click this link|this link|link|tap here|press here|go here|see here|this|
  hier klicken|klicken sie hier|klick hier|klicke hier|hier|diesen link|
  cliquez ici|cliquer ici|ici|haga clic aquí|haz clic aquí|pulse aquí|aquí|clique aqui|aqui|
  clicca qui|qui|klik hier`
    .split('|')
    .map((name) => name.trim()),
);

/** Names that say something only with the text around the link. */
const vague = new Set(
  `more|read more|learn more|see more|view more|show more|more info|more information|more details|
  details|find out more|discover more|continue|continue reading|go|read on|read this|full story|read article|
  mehr|mehr lesen|weiterlesen|mehr erfahren|mehr dazu|mehr infos|lire la suite|en savoir plus|plus|voir plus|
  leer más|ver más|más información|más|saiba mais|leia mais|scopri di più|leggi tutto|leggi di più|
  lees meer|lees verder|meer informatie`
    .split('|')
    .map((name) => name.trim()),
);

/** The rule for links with a name that says nothing. */
export const linkPurpose: HtmlRule = {
  id: 'link-purpose',
  name: 'Links say where they lead',
  description: 'No link is named "click here", or "read more" without text around it',
  severity: 'minor',
  category: 'quality',
  version: 1,
  wcag: '2.4.4',
  things: 'links',
  suggestedFix: 'Name the target in the text of the link',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, (model) => (element) => {
      if (!model.exposure.isExposed(element) || !links.is(element, model)) return undefined;
      const name = model.names.nameOf(element);
      // without a name, another rule reports it
      return name === '' || isPlaceholder(name) ? undefined : problemsOf(element, name, model);
    }),
};

function problemsOf(element: Element, name: string, model: PageModel): string[] {
  const words = plainWords(name);
  // a name from a program, or the title of a part of this page, means itself
  if (/[<({[=_]/.test(name) || plainWords(titleOf(element, model)) === words) return [];
  const shown = `a link named "${name.slice(0, 60)}" does not say`;
  if (empty.has(words)) return [`${shown} where it leads`];
  return vague.has(words) && !hasContext(element, words, model)
    ? [`${shown} what is there, and nor does the text around it`]
    : [];
}

/** Returns the text of the place in this page that a link leads to. */
function titleOf(element: Element, { page, names }: PageModel): string {
  const id = /^#(.+)/.exec(attribute(element, 'href')?.trim() ?? '')?.[1];
  const [target] = (id === undefined ? undefined : page.byId.get(id)) ?? [];
  return target === undefined ? '' : names.contentOf(target);
}

function plainWords(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns whether the paragraph, list item or table row of a link says more than the link. */
function hasContext(element: Element, words: string, { page, names }: PageModel): boolean {
  if (
    (attribute(element, 'aria-describedby') ?? '').split(/\s+/, 5).some((id) => page.byId.has(id))
  )
    return true;
  if (
    (attribute(element, 'title') ?? '').trim() !== '' &&
    plainWords(attribute(element, 'title') ?? '') !== words
  )
    return true;
  for (let above = parentOf(element); above !== undefined; above = parentOf(above))
    if (/^(?:p|li|tr|dd|figcaption|caption|blockquote|h[1-6])$/.test(above.tagName)) {
      const around = plainWords(names.contentOf(above));
      if (around.replaceAll(words, ' ').trim() !== '') return true;
    }
  return false;
}
