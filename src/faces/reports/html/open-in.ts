import type { ModelGap } from './report-model.js';

export function isOpenIn({ life, standing }: ModelGap, review: number): boolean {
  if (standing === 'disputed' || standing === 'waived') return false;
  return life.length === 0 || ['found', 'still open', 'came back'].includes(life[review] ?? '');
}
