import type { Place } from '../page-place.js';
import type { PageTools } from './page-tools.js';

/** A file that an element refers to. */
export interface Reference {
  readonly url: string;
  readonly kind: string;
  readonly place: Place;
}

/** What a page refers to, and what it could not show. */
export interface References {
  readonly files: readonly Reference[];
  /** Pictures that were found but could not be shown. */
  readonly broken: readonly Reference[];
  /** Links to places of the same page that are not there. */
  readonly dead: readonly Reference[];
  readonly fonts: readonly string[];
  /** The addresses of scripts; empty for scripts in the page. */
  readonly scripts: readonly string[];
}

/** Returns what a page refers to. It runs inside the page. */
export function referencesOf(tools: PageTools): References {
  const kinds: readonly (readonly [string, string, string])[] = [
    ['img[src], input[type="image"][src]', 'src', 'image'],
    ['script[src]', 'src', 'script'],
    ['link[rel~="stylesheet" i][href]', 'href', 'stylesheet'],
    ['link[rel~="icon" i][href]', 'href', 'icon'],
    ['video[src], audio[src], video > source[src], audio > source[src]', 'src', 'media file'],
    ['video[poster]', 'poster', 'image'],
    ['track[src]', 'src', 'track'],
    ['iframe[src], frame[src]', 'src', 'frame'],
    ['object[data]', 'data', 'object'],
    ['embed[src]', 'src', 'object'],
  ];
  const absolute = (value: string): string =>
    URL.canParse(value, document.baseURI) ? new URL(value, document.baseURI).href : '';
  // unlike decodeURIComponent, this never throws
  const decoded = (text: string): string =>
    new URLSearchParams(`text=${text.replaceAll(/[+&]/g, encodeURIComponent)}`).get('text') ?? '';
  const files: Reference[] = kinds.flatMap(([selector, name, kind]) =>
    [...document.querySelectorAll(selector)].flatMap((element) => {
      const value = element.getAttribute(name)?.trim() ?? '';
      return value === '' ? [] : [{ url: absolute(value), kind, place: tools.place(element) }];
    }),
  );
  for (const element of document.querySelectorAll('img[srcset], picture > source[srcset]'))
    for (const part of (element.getAttribute('srcset') ?? '').split(/,\s+/)) {
      const [value = ''] = part.trim().split(/\s+/);
      if (value !== '')
        files.push({ url: absolute(value), kind: 'image', place: tools.place(element) });
    }
  const broken = [...document.images]
    .filter((image) => image.currentSrc !== '' && image.complete && image.naturalWidth === 0)
    .map((image) => ({ url: image.currentSrc, kind: 'image', place: tools.place(image) }));
  const dead = [...document.querySelectorAll('a[href^="#"], area[href^="#"]')].flatMap((link) => {
    const target = decoded((link.getAttribute('href') ?? '#').slice(1));
    if (target === '' || target === 'top' || /^[!/]|[/=]/.test(target)) return [];
    const there = document.getElementById(target) ?? document.getElementsByName(target).item(0);
    return there === null ? [{ url: `#${target}`, kind: 'link', place: tools.place(link) }] : [];
  });
  return {
    files,
    broken,
    dead,
    fonts: [...document.fonts]
      .filter(({ status }) => status === 'error')
      .map(({ family }) => family),
    scripts: [...document.scripts]
      .filter(({ type }) => type === '' || /javascript|module/i.test(type))
      .map(({ src }) => src),
  };
}
