import type { Gap } from '../../../core/gap.js';

const severities = ['critical', 'major', 'minor'];

/** Returns the place of a gap in a list that shows the worst first. */
export function severityRank(gap: Gap | undefined): number {
  const rank = severities.indexOf(gap?.severity ?? '');
  return rank < 0 ? severities.length : rank;
}
