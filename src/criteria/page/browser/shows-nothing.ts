import { isOneColour } from '../inside/one-colour.js';
import { wide } from './guarded-page.js';
import type { PageWorld } from './page-world.js';

const mostHeight = 20_000;

/**
 * Returns whether a person sees nothing on a page: it is hidden, covered, beside the window, or as
 * bright as its background. What is in its source does not matter.
 */
export async function showsNothing(world: PageWorld): Promise<boolean> {
  if (!(await world.compare(isOneColour, await world.shot({ x: 0, y: 0, ...wide })))) return false;
  const height = Number(await world.run('document.documentElement.scrollHeight'));
  if (height <= wide.height) return true;
  const whole = { x: 0, y: 0, width: wide.width, height: Math.min(height, mostHeight) };
  return world.compare(isOneColour, await world.shot(whole, { scale: 0.5, beyond: true }));
}
