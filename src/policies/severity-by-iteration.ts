import { isOpen } from '../core/gap.js';
import { checkKeys, checkWhole } from '../core/options.js';
import { plural } from '../core/plural.js';
import type { Policy } from '../core/policy.js';
import { severityAtLeast } from '../core/severity.js';
import { type BlockingRow, type BlockingTable, blockingFloor } from './blocking-table.js';
import { disputedOnly, reviseBest, unjudgeable } from './evidence.js';

export interface SeverityByIterationOptions {
  /** The first iteration in which minor gaps do not block. @default 3 */
  readonly minorUntil?: number | undefined;
  /** The first iteration in which major gaps do not block. @default 5 */
  readonly majorUntil?: number | undefined;
}

/**
 * Blocks on less with each iteration, so that a loop converges. First all gaps block, later major
 * and critical ones, finally critical ones only.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = severityByIteration({ minorUntil: 2, majorUntil: 4 });
 * ```
 */
export function severityByIteration(options: SeverityByIterationOptions = {}): Policy {
  checkKeys('severityByIteration', options, ['minorUntil', 'majorUntil']);
  const { minorUntil = 3, majorUntil = 5 } = options;
  checkWhole('minorUntil', minorUntil, 1);
  checkWhole('majorUntil', majorUntil, minorUntil);
  const table = rowsOf(minorUntil, majorUntil);
  return (evidence) => {
    const stop = unjudgeable(evidence.review);
    if (stop !== undefined) return stop;
    const floor = blockingFloor(table, evidence.iteration);
    const blocking = evidence.review.gaps.filter(
      (gap) => isOpen(gap) && severityAtLeast(gap.severity, floor),
    );
    const disputed =
      blocking.length === 0
        ? disputedOnly(evidence, (gap) => severityAtLeast(gap.severity, floor))
        : undefined;
    if (disputed !== undefined) return disputed;
    if (blocking.length === 0)
      return {
        kind: 'approve',
        reason: `no gap of severity ${floor} or worse in iteration ${evidence.iteration}`,
      };
    return reviseBest(
      evidence,
      (gap) => severityAtLeast(gap.severity, floor),
      `${plural(blocking.length, 'gap')} of severity ${floor} or worse`,
    );
  };
}

/** Returns the blocking table. A later row replaces an earlier one of the same iteration. */
function rowsOf(minorUntil: number, majorUntil: number): BlockingTable {
  const later: BlockingRow[] = [
    { from: minorUntil, blocks: 'major' },
    { from: majorUntil, blocks: 'critical' },
  ];
  return [{ from: 1, blocks: 'minor' }, ...later];
}
