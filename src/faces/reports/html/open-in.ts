import type { ModelGap } from './report-model.js';

/** Returns whether a gap counts against the version of a review. */
export function isOpenIn({ life, standing }: ModelGap, review: number): boolean {
  if (standing === 'disputed' || standing === 'waived') return false;
  return life.length === 0 || ['found', 'still open', 'came back'].includes(life[review] ?? '');
}
