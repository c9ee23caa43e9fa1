import type { Place } from '../page-place.js';
import type { PageTools } from './page-tools.js';

/**
 * Returns the pictures without a height that move something else when they arrive. It runs inside the
 * page.
 */
export function unsizedPictures(tools: PageTools, mostTried: number): Place[] {
  const isFree = (image: HTMLImageElement): boolean => {
    if (image.naturalWidth === 0 || !tools.isShown(image)) return false;
    const { position, aspectRatio } = getComputedStyle(image);
    if (/absolute|fixed/.test(position) || aspectRatio !== 'auto') return false;
    const height = String(image.computedStyleMap().get('height') ?? '');
    return height === 'auto' && image.getBoundingClientRect().height >= 32;
  };
  const all = [...document.querySelectorAll('body *')].slice(0, 1500);
  /** Whether anything stands elsewhere while the picture has no height. */
  const moves = (image: HTMLImageElement): boolean => {
    const others = all.filter((other) => !other.contains(image) && tools.isShown(other));
    const places = (): number[] => [
      document.documentElement.scrollHeight,
      ...others.map((other) => other.getBoundingClientRect().top),
    ];
    const before = places();
    const { height } = image.style;
    const rank = image.style.getPropertyPriority('height');
    image.style.setProperty('height', '0', 'important');
    const after = places();
    image.style.setProperty('height', height, rank);
    return before.some((place, index) => Math.abs(place - (after[index] ?? place)) > 1);
  };
  return [...document.images]
    .filter(isFree)
    .filter((image, index) => index >= mostTried || moves(image))
    .map((image) => tools.place(image));
}
