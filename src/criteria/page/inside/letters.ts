import type { Box } from '../page-place.js';
import type { PageTools } from './page-tools.js';
import type { ReadPixels } from './pixels.js';

/** The letters of an element, and how large they must be told apart. */
export interface Letters {
  readonly boxes: readonly Box[];
  readonly clip: Box;
  readonly bar: number;
  /** Whether a picture behind the text could not be loaded. */
  readonly incomplete: boolean;
}

/** Returns the boxes of the letters of an element. It runs inside the page. */
export function lettersOf(
  tools: PageTools,
  { kept, missing }: { readonly kept: number; readonly missing: readonly string[] },
): Letters | null {
  const element = tools.kept[kept];
  if (element === undefined) return null;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const range = document.createRange();
  const boxOf = (node: Node, start: number, end: number): Box => {
    range.setStart(node, start);
    range.setEnd(node, end);
    const { left, top, width, height } = range.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height };
  };
  const boxes = [...element.childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .flatMap((node) =>
      [...(node.nodeValue ?? '').matchAll(/[\p{L}\p{N}]/gu)]
        .slice(0, 120)
        .map(({ index, 0: letter }) => boxOf(node, index, index + letter.length)),
    )
    .filter(({ width, height }) => width > 0 && height > 0)
    .slice(0, 120);
  if (boxes.length === 0) return null;
  const left = Math.floor(Math.min(...boxes.map(({ x }) => x)));
  const top = Math.floor(Math.min(...boxes.map(({ y }) => y)));
  const right = Math.ceil(Math.max(...boxes.map(({ x, width }) => x + width)));
  const bottom = Math.ceil(Math.max(...boxes.map(({ y, height }) => y + height)));
  const isIncomplete = (): boolean => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { backgroundImage } = getComputedStyle(at);
      if (missing.some((path) => backgroundImage.includes(path))) return true;
    }
    const around = element.getBoundingClientRect();
    return [...document.images].some((image) => {
      const { left, top, right, bottom } = image.getBoundingClientRect();
      const isBehind =
        left < around.right && right > around.left && top < around.bottom && bottom > around.top;
      return isBehind && image.complete && image.naturalWidth === 0;
    });
  };
  const style = getComputedStyle(element);
  const size = Number.parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  return {
    boxes: boxes.map((box) => ({ ...box, x: box.x - left, y: box.y - top })),
    clip: { x: left, y: top, width: right - left, height: bottom - top },
    bar: large ? 3 : 4.5,
    incomplete: isIncomplete(),
  };
}

/** Hides the letters of an element, or shows them again. It runs inside the page. */
export function hideLetters(
  tools: PageTools,
  { kept, hidden }: { readonly kept: number; readonly hidden: boolean },
): void {
  const element = tools.kept[kept];
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  const name = element instanceof SVGElement ? 'fill' : '-webkit-text-fill-color';
  const earlier = element.dataset['earlierColour'] ?? '';
  if (hidden) {
    element.dataset['earlierColour'] = element.style.getPropertyValue(name);
    element.style.setProperty(name, 'transparent', 'important');
  } else {
    delete element.dataset['earlierColour'];
    element.style.setProperty(name, earlier);
  }
}

/** What a canvas compares: two pictures, and the boxes of letters in them. */
export interface Pictures {
  readonly shown: string;
  readonly hidden: string;
  readonly scale: number;
  readonly boxes: readonly Box[];
}

/**
 * Returns, for each letter, the highest contrast of a pixel that the letter changes, or 0 if it
 * changes none. It runs inside an empty page.
 */
export async function letterContrasts(
  { shown, hidden, scale, boxes }: Pictures,
  pixelsOf: ReadPixels,
): Promise<number[]> {
  const light = (data: Uint8ClampedArray, at: number): number => {
    const part = (value = 0): number => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(data[at]) + 0.7152 * part(data[at + 1]) + 0.0722 * part(data[at + 2]);
  };
  const [a, b] = await Promise.all([pixelsOf(shown), pixelsOf(hidden)]);
  if (a === undefined || b === undefined) return [];
  return boxes.map(({ x, y, width, height }) => {
    let best = 0;
    for (let row = Math.floor(y * scale); row < Math.min(a.height, (y + height) * scale); row += 1)
      for (
        let column = Math.floor(x * scale);
        column < Math.min(a.width, (x + width) * scale);
        column += 1
      ) {
        const at = (row * a.width + column) * 4;
        const one = light(a.data, at);
        const other = light(b.data, at);
        if (one === other) continue;
        best = Math.max(best, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
      }
    return best;
  });
}
