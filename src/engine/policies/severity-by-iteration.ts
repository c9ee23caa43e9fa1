import { GapSeveritySchema, isOpen, type Severity, severityAtLeast } from '../../core/gap.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import type { Policy } from '../../core/policy.js';
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

/** A later row replaces an earlier one of the same iteration. */
function rowsOf(minorUntil: number, majorUntil: number): BlockingTable {
  const later: BlockingRow[] = [
    { from: minorUntil, blocks: 'major' },
    { from: majorUntil, blocks: 'critical' },
  ];
  return [{ from: 1, blocks: 'minor' }, ...later];
}

/** From iteration `from` on, gaps of severity `blocks` or worse block. */
export interface BlockingRow {
  readonly from: number;
  readonly blocks: Severity;
}

/** Each row applies until the next one. */
export type BlockingTable = readonly [BlockingRow, ...BlockingRow[]];

export function checkBlocking(table: BlockingTable): void {
  if (!Array.isArray(table) || table.length === 0)
    throw invalid('blocking', 'a list of rows { from, blocks }', table);
  for (const [index, row] of table.entries()) {
    checkWhole(
      `blocking[${index}].from`,
      row?.from,
      index === 0 ? 1 : (table[index - 1]?.from ?? 0) + 1,
    );
    if (!GapSeveritySchema.safeParse(row.blocks).success)
      throw invalid(
        `blocking[${index}].blocks`,
        `one of ${GapSeveritySchema.options.join(', ')}`,
        row.blocks,
      );
  }
  if (table[0]?.from !== 1) throw invalid('blocking[0].from', '1', table[0]?.from);
}

export function blockingFloor(table: BlockingTable, iteration: number): Severity {
  return table.findLast(({ from }) => from <= iteration)?.blocks ?? 'minor';
}
