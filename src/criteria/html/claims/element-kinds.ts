import type { Kind } from '../../../requirements/claim/kinds.js';
import { attribute, parentOf } from '../dom.js';
import { semanticRole } from '../model/roles.js';
import type { ElementKind } from './element-kind.js';
import {
  containsTag,
  type ElementTest,
  has,
  hasText,
  inputs,
  isInside,
  named,
  oneOf,
  roles,
  tags,
} from './element-tests.js';
import { formKinds } from './form-kinds.js';

const inNav: ElementTest = (element) => isInside(element, /^nav$/);
const listed = (names: string): ElementTest => {
  const isList = tags(names);
  return (element) => isList(element) && containsTag(element, /^li$/) && !inNav(element);
};
const headingTags = tags('h1|h2|h3|h4|h5|h6');
const maybeHeading = oneOf(
  headingTags,
  roles(/^heading$/),
  tags('b|strong|dt|th|legend|caption|summary|figcaption'),
  named(/title|head|heading/i),
);
const block = tags('p|div|section|article|li|blockquote|td|dd|main|body|span|center|font');

function heading(level: number): ElementKind {
  const tag = tags(`h${level}`);
  return {
    sure: (element) => tag(element) && hasText(element) && semanticRole(element) === 'heading',
    maybe: oneOf(
      tag,
      (element) =>
        semanticRole(element) === 'heading' && Number(attribute(element, 'aria-level')) === level,
    ),
  };
}

const contentKinds: Readonly<Partial<Record<Kind, ElementKind>>> = {
  image: {
    sure: (element) => element.tagName === 'img' && (has(element, 'src') || has(element, 'srcset')),
    maybe: oneOf(
      tags('img|svg|picture|canvas|object|embed'),
      inputs(/^image$/),
      roles(/^(?:img|image)$/),
      (element) => has(element, 'poster') || /url\(/i.test(attribute(element, 'style') ?? ''),
    ),
    styles: /url\(/i,
  },
  link: {
    sure: (element) =>
      element.tagName === 'a' &&
      has(element, 'href') &&
      !/^\s*javascript:/i.test(attribute(element, 'href') ?? '') &&
      semanticRole(element) === 'link' &&
      (hasText(element) || containsTag(element, /^img$/)),
    maybe: oneOf(tags('a|area'), roles(/^link$/), (element) => has(element, 'onclick')),
  },
  table: {
    sure: (element) => semanticRole(element) === 'table' && containsTag(element, /^tr$/),
    maybe: oneOf(tags('table'), roles(/^(?:table|grid|treegrid)$/)),
    styles: /display\s*:\s*(?:inline-)?table/i,
  },
  list: {
    sure: listed('ul|ol'),
    maybe: oneOf(tags('ul|ol|menu|dl'), roles(/^(?:list|listbox|menu)$/), named(/list/i)),
  },
  'ordered-list': {
    sure: listed('ol'),
    maybe: oneOf(tags('ol|ul'), roles(/^list$/), named(/list|steps/i)),
  },
  'bullet-list': {
    sure: listed('ul'),
    maybe: oneOf(tags('ul|menu|ol'), roles(/^list$/), named(/list/i)),
  },
  'list-item': {
    sure: (element) => element.tagName === 'li' && hasText(element) && !inNav(element),
    maybe: oneOf(tags('li|dt|dd|option'), roles(/^(?:listitem|option|menuitem)$/), named(/item/i)),
  },
  heading: {
    sure: (element) =>
      headingTags(element) && hasText(element) && semanticRole(element) === 'heading',
    maybe: maybeHeading,
  },
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  paragraph: { sure: (element) => element.tagName === 'p' && hasText(element), maybe: block },
  section: {
    sure: (element) => element.tagName === 'section' && hasText(element),
    maybe: oneOf(
      block,
      headingTags,
      tags('aside|header|footer|nav|fieldset|details|form|table'),
      roles(/^region$/),
    ),
  },
  nav: {
    sure: (element) => semanticRole(element) === 'navigation' && containsTag(element, /^a$/),
    maybe: oneOf(
      tags('nav'),
      roles(/^(?:navigation|menu|menubar)$/),
      named(/nav|menu/i),
      (element) => element.tagName === 'a' && parentOf(element)?.tagName !== 'p',
    ),
  },
  header: {
    sure: (element) => semanticRole(element) === 'banner' && hasText(element),
    maybe: oneOf(
      tags('header|h1|h2|hgroup|nav|thead'),
      roles(/^banner$/),
      named(/head|banner|masthead|hero|top/i),
    ),
  },
  footer: {
    sure: (element) => semanticRole(element) === 'contentinfo' && hasText(element),
    maybe: oneOf(
      tags('footer|address|small|tfoot'),
      roles(/^contentinfo$/),
      named(/foot|bottom|copyright|legal/i),
    ),
  },
  main: {
    sure: (element) => semanticRole(element) === 'main',
    maybe: oneOf(tags('main'), roles(/^main$/), named(/main|content/i)),
  },
  aside: {
    sure: (element) => semanticRole(element) === 'complementary',
    maybe: oneOf(tags('aside'), roles(/^complementary$/), named(/side/i)),
  },
  video: {
    sure: tags('video'),
    maybe: oneOf(tags('video|iframe|object|embed|canvas'), named(/video|player/i)),
  },
  audio: {
    sure: (element) => element.tagName === 'audio' && attribute(element, 'controls') !== undefined,
    maybe: oneOf(tags('audio|video|iframe|object|embed'), named(/audio|player/i)),
  },
  iframe: { sure: tags('iframe'), maybe: tags('iframe|frame|object|embed') },
  'code-block': {
    sure: (element) => element.tagName === 'pre' && hasText(element),
    maybe: oneOf(tags('pre|code|samp|kbd|textarea|xmp'), named(/code/i)),
  },
  blockquote: { sure: tags('blockquote'), maybe: oneOf(tags('blockquote|q'), named(/quote/i)) },
};

/** Kinds that only pages have. */
export const htmlOnly: ReadonlySet<Kind> = new Set<Kind>([
  'button',
  'submit-button',
  'form',
  'input',
  'field',
  'email-field',
  'password-field',
  'search-field',
  'date-field',
  'checkbox',
  'radio-button',
  'select',
  'textarea',
  'nav',
  'header',
  'footer',
  'main',
  'aside',
  'iframe',
  'tag',
  'title',
  'title-tag',
  'lang',
  'viewport',
  'script',
  'inline-style',
  'inline-script',
  'inline-handler',
  'duplicate-id',
]);

/** Returns how elements of a kind are recognised. `tag` has its name as text. */
export function elementKind(kind: Kind, text: string | undefined): ElementKind | undefined {
  if (kind === 'section' && text !== undefined)
    return (
      contentKinds.heading &&
      contentKinds.section && {
        sure: contentKinds.heading.sure,
        maybe: contentKinds.section.maybe,
      }
    );
  if (kind !== 'tag') return formKinds[kind] ?? contentKinds[kind];
  const tag = tags(text ?? '');
  return {
    sure: (element) => tag(element) && element.sourceCodeLocation?.startTag !== undefined,
    maybe: tag,
  };
}
