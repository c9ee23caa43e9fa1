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
  const collapse = ({ style }: HTMLImageElement): (() => void) => {
    const [height, rank] = [style.height, style.getPropertyPriority('height')];
    style.setProperty('height', '0', 'important');
    return () => style.setProperty('height', height, rank);
  };
  const places = (image: HTMLImageElement): number[] => [
    document.documentElement.scrollHeight,
    ...all
      .filter((other) => !other.contains(image))
      .map((other) => other.getBoundingClientRect().top),
  ];
  const free = [...document.images].filter(isFree);
  const restore = free.map(collapse);
  // each picture arrives as the first one, because others in its row may hold the place
  const moving = free.filter((image, index) => {
    if (index >= mostTried) return true;
    const before = places(image);
    restore[index]?.();
    const after = places(image);
    collapse(image);
    return before.some((place, at) => Math.abs(place - (after[at] ?? place)) > 1);
  });
  for (const back of restore) back();
  return moving.map((image) => tools.place(image));
}
