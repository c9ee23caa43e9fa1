import { attribute, type Element, keyword, rawText, wordsIn } from '../dom.js';
import { isPlaceholder } from './roles.js';

export type ReferenceKind =
  | 'image'
  | 'media file'
  | 'track'
  | 'script'
  | 'stylesheet'
  | 'icon'
  | 'linked file'
  | 'frame'
  | 'object'
  | 'file of a style';

export interface Reference {
  readonly kind: ReferenceKind;
  readonly address: string;
}

const sources: readonly (readonly [tag: string, attribute: string, kind: ReferenceKind])[] = [
  ['img', 'src', 'image'],
  ['audio', 'src', 'media file'],
  ['video', 'src', 'media file'],
  ['video', 'poster', 'image'],
  ['source', 'src', 'media file'],
  ['track', 'src', 'track'],
  ['script', 'src', 'script'],
  ['iframe', 'src', 'frame'],
  ['frame', 'src', 'frame'],
  ['embed', 'src', 'object'],
  ['object', 'data', 'object'],
  ['body', 'background', 'image'],
  // the parser names `xlink:href` so, too
  ['image', 'href', 'image'],
  ['use', 'href', 'image'],
];
const longest = 20_000;

export function referencesOf(element: Element): Reference[] {
  return [...written(element), ...candidates(element), ...styled(element)]
    .map(([address, kind]) => ({ kind, address: address.trim() }))
    .filter(({ address }) => address !== '' && !isFilledIn(address));
}

/** Returns whether a tool fills in a part of an address: `%PUBLIC_URL%/icon.png`. */
function isFilledIn(address: string): boolean {
  return isPlaceholder(address) || /%[A-Z_]{3,40}%/.test(address);
}

type Written = readonly [address: string, kind: ReferenceKind];

function written(element: Element): Written[] {
  if (element.tagName === 'link') return linked(element);
  const of =
    element.tagName === 'input' && keyword(element, 'type') === 'image' ? 'img' : element.tagName;
  return sources
    .filter(([tag]) => tag === of)
    .map(([, name, kind]) => [attribute(element, name) ?? '', kind]);
}

function linked(element: Element): Written[] {
  const kinds = wordsIn(element, 'rel').map((kind) => kind.toLowerCase());
  const href = attribute(element, 'href') ?? '';
  if (kinds.includes('stylesheet')) return [[href, 'stylesheet']];
  if (kinds.some((kind) => /^(?:icon|apple-touch-icon|mask-icon)$/.test(kind)))
    return [[href, 'icon']];
  return kinds.some((kind) => /^(?:manifest|preload|modulepreload|prefetch)$/.test(kind))
    ? [[href, 'linked file']]
    : [];
}

function candidates(element: Element): Written[] {
  if (!/^(?:img|source)$/.test(element.tagName)) return [];
  const list = (attribute(element, 'srcset') ?? '').slice(0, longest);
  // an address may contain commas, but not end with one
  return Array.from(
    list.matchAll(/(?:^|,|\s,)\s*([^\s,](?:[^\s]*[^\s,])?)(?:\s+[\d.]+[wxh])*\s*(?=,|$)/g),
    ({ 1: address = '' }): Written => [address, 'image'],
  );
}

function styled(element: Element): Written[] {
  const css = element.tagName === 'style' ? rawText(element) : (attribute(element, 'style') ?? '');
  return addressesIn(css).map((address) => [address, 'file of a style']);
}

function addressesIn(css: string): string[] {
  if (!/url\(|@import/i.test(css)) return [];
  const plain = css.slice(0, 1_000_000).replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  const found = plain.matchAll(
    /url\(\s{0,20}(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|([^\s"'()]{1,2000}))\s{0,20}\)|@import\s{1,20}(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})')/gi,
  );
  return Array.from(found, ([, a, b, c, d, e]) => a ?? b ?? c ?? d ?? e ?? '');
}

/**
 * Returns whether an address is loaded over plain HTTP from another machine. Browsers trust this
 * machine.
 */
export function isInsecure(address: string): boolean {
  const host = /^\s*http:\/\/([^/?#\s]*)/i.exec(address)?.[1];
  if (host === undefined || isPlaceholder(address)) return false;
  const name = host
    .replace(/^[^@]*@/, '')
    .replace(/:\d*$/, '')
    .toLowerCase();
  return !/^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|)$/.test(name);
}

export function isExternal(address: string): boolean {
  return /^\s*(?:https?:)?\/\//i.test(address);
}
