import type { Found } from '../../artifact-criterion.js';
import { attribute, type Element, type Page } from '../dom.js';
import { type HtmlRule, judgeEach } from '../rule.js';

/** The rule against repeated attributes. */
export const attributeUnique: HtmlRule = {
  id: 'attribute-unique',
  name: 'Unique attributes',
  description: 'No tag repeats an attribute',
  severity: 'minor',
  category: 'incorrect',
  version: 2,
  act: ['e6952f'],
  things: 'pages',
  suggestedFix: 'Remove the repeated attribute: browsers ignore it',
  repairs: false,
  judge: ({ pages }) => ({
    judged: pages.length,
    findings: pages.flatMap((page) => firstOfTags(page).map((offset) => repeatedAt(page, offset))),
  }),
};

/** Returns the first repeated attribute of each tag. A tag may repeat one a million times. */
function firstOfTags({ source, repeatedAttributes }: Page): number[] {
  return repeatedAttributes.filter((offset, index) => {
    const before = repeatedAttributes[index - 1];
    return before === undefined || source.slice(before, offset).includes('<');
  });
}

/** A quote ends at the tag, and has at most 500 characters. */
function repeatedAt({ file, source, lineAt }: Page, offset: number): Found {
  const from = Math.max(0, offset - 400);
  const start = source.slice(from, offset).lastIndexOf('<');
  const end = source.slice(offset, offset + 100).indexOf('>');
  return {
    file,
    line: lineAt(offset),
    evidence: source.slice(Math.max(start, 0) + from, offset + (end === -1 ? 100 : end + 1)),
    description: 'a tag repeats an attribute',
  };
}

/** The rule against sound that starts automatically. */
export const mediaAutoplay: HtmlRule = {
  id: 'media-autoplay',
  name: 'No automatic sound',
  description: 'No sound of more than three seconds starts automatically without controls',
  severity: 'major',
  category: 'incorrect',
  version: 1,
  wcag: '1.4.2',
  act: ['80f0bf'],
  things: 'media that start automatically',
  suggestedFix: 'Add controls or muted, or remove autoplay',
  repairs: false,
  judge: ({ pages }) =>
    judgeEach(pages, ({ hasScripts }) => (element) => {
      if (!soundsByItself(element)) return undefined;
      if (isFine(element)) return [];
      const unchecked = unknownSound(element, hasScripts);
      return unchecked === undefined
        ? ['the sound starts automatically and cannot be stopped']
        : { unchecked };
    }),
};

function unknownSound(element: Element, hasScripts: boolean): string | undefined {
  if (element.tagName === 'video') return 'whether the video has sound is unknown';
  return hasScripts ? 'a script may stop the sound' : undefined;
}

function isFine(element: Element): boolean {
  return attribute(element, 'controls') !== undefined || sources(element).some(isShort);
}

function soundsByItself(element: Element): boolean {
  return (
    /^(?:audio|video)$/.test(element.tagName) &&
    attribute(element, 'autoplay') !== undefined &&
    attribute(element, 'muted') === undefined
  );
}

function sources(element: Element): string[] {
  const inner = element.childNodes.filter(
    (node): node is Element => 'tagName' in node && node.tagName === 'source',
  );
  return [element, ...inner]
    .map((each) => attribute(each, 'src') ?? '')
    .filter((src) => src !== '');
}

/** Returns whether an address plays only a short part. `#t=8,10` plays two seconds. */
function isShort(src: string): boolean {
  const [, from = '0', to] = /#t=([\d.]*),([\d.]+)/.exec(src) ?? [];
  return to !== undefined && Number(to) - Number(from || 0) <= 3;
}
