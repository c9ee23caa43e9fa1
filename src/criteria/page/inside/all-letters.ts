import type { Box } from '../page-place.js';
import type { PageTools } from './page-tools.js';
import type { ReadPixels } from './pixels.js';

/** The letters of one element. */
export interface LettersAt {
  readonly kept: number;
  /** The boxes of some letters, from the upper left corner of the page. */
  readonly boxes: readonly Box[];
}

/** The letters of a page, and how far it is scrolled step by step to see them. */
export interface PageLetters {
  readonly letters: readonly LettersAt[];
  readonly steps: readonly number[];
}

/** Returns the letters that stand directly in some elements. It runs inside the page. */
export function allLetters(
  tools: PageTools,
  {
    kept,
    most,
    mostSteps,
  }: Record<'most' | 'mostSteps', number> & { readonly kept: readonly number[] },
): PageLetters {
  const range = document.createRange();
  const boxOf = (node: Node, start: number, end: number): Box => {
    range.setStart(node, start);
    range.setEnd(node, end);
    const { left, top, width, height } = range.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height };
  };
  const boxesOf = (element: Element): Box[] => {
    const places = [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .flatMap((node) =>
        [...(node.nodeValue ?? '').matchAll(/[\p{L}\p{N}]/gu)].map(({ index, 0: letter }) => ({
          node,
          start: index,
          end: index + letter.length,
        })),
      );
    const every = Math.max(1, Math.ceil(places.length / most));
    return places
      .filter((_, index) => index % every === 0 || index === places.length - 1)
      .map(({ node, start, end }) => boxOf(node, start, end));
  };
  const letters = kept.flatMap((number): LettersAt[] => {
    const element = tools.kept[number];
    const boxes = element === undefined ? [] : boxesOf(element);
    return boxes.length === 0 ? [] : [{ kept: number, boxes }];
  });
  const half = Math.max(1, Math.floor(innerHeight / 2));
  const tops = letters.flatMap(({ boxes }) => boxes.map(({ y }) => Math.floor(y / half)));
  const needed = [...new Set(tops.flatMap((step) => [step - 1, step]))]
    .filter((step) => step >= 0)
    .sort((one, other) => one - other);
  return { letters, steps: needed.slice(0, mostSteps).map((step) => step * half) };
}

/** Scrolls to a height, and returns the window that is shown then. It runs inside the page. */
export function scrollDown(_tools: PageTools, top: number): Box {
  scrollTo({ top, left: 0, behavior: 'instant' });
  return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };
}

/** Makes all letters of the page transparent, or shows them again. It runs inside the page. */
export function hideAllLetters(_tools: PageTools, hidden: boolean): void {
  const marked = (sheet: CSSStyleSheet): boolean => sheet.media.mediaText === 'all, reviewloop';
  const others = document.adoptedStyleSheets.filter((sheet) => !marked(sheet));
  const sheet = new CSSStyleSheet({ media: 'all, reviewloop' });
  sheet.replaceSync(
    '*, ::before, ::after { -webkit-text-fill-color: transparent !important; text-shadow: none !important }',
  );
  document.adoptedStyleSheets = hidden ? [...others, sheet] : others;
}

/** Two pictures of a window, and the letters that may be in it. */
export interface LetterPictures extends PageLetters {
  readonly shown: string;
  readonly hidden: string;
  readonly window: Box;
}

/**
 * Returns the elements whose letters all change pixels when they are hidden: those that a person
 * sees in this window. It runs inside an empty page.
 */
export async function seenLetters(
  { shown, hidden, window, letters }: Omit<LetterPictures, 'steps'>,
  pixelsOf: ReadPixels,
): Promise<number[]> {
  const [one, other] = await Promise.all([pixelsOf(shown), pixelsOf(hidden)]);
  if (one === undefined || other === undefined) return [];
  const differs = (x: number, y: number): boolean => {
    const at = (y * one.width + x) * 4;
    return [0, 1, 2].some(
      (part) => Math.abs((one.data[at + part] ?? 0) - (other.data[at + part] ?? 0)) > 8,
    );
  };
  const changes = (box: Box): boolean => {
    const [left, top] = [Math.floor(box.x - window.x), Math.floor(box.y - window.y)];
    const [right, bottom] = [
      Math.ceil(box.x - window.x + box.width),
      Math.ceil(box.y - window.y + box.height),
    ];
    if (left < 0 || top < 0 || right > one.width || bottom > one.height) return false;
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1) if (differs(x, y)) return true;
    return false;
  };
  return letters.filter(({ boxes }) => boxes.every(changes)).map(({ kept }) => kept);
}
