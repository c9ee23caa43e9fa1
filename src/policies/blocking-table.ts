import { checkWhole, invalid } from '../core/options.js';
import { GapSeveritySchema, type Severity } from '../core/severity.js';

/** From iteration `from` on, gaps of severity `blocks` or worse block. */
export interface BlockingRow {
  /** The first iteration of the row, from 1. */
  readonly from: number;
  /** The least severity that blocks. */
  readonly blocks: Severity;
}

/** Which severities block in which iteration; each row applies until the next one. */
export type BlockingTable = readonly [BlockingRow, ...BlockingRow[]];

/** @throws ReviewLoopError `invalid_options` unless `from` starts at 1 and increases */
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

/** Returns the least severity that blocks in an iteration. */
export function blockingFloor(table: BlockingTable, iteration: number): Severity {
  return table.findLast(({ from }) => from <= iteration)?.blocks ?? 'minor';
}
