import {
  checkAge,
  checkPositive,
  invalid,
  type OptionTable,
  port,
  required,
  whole,
} from '../../core/options.js';
import type { Clock } from '../../ports/clock.js';
import { portTable } from '../../ports/port-table.js';

/** The options of a lease, which are those of any store with heartbeats. */
export const leaseTable = {
  heartbeatMs: checkPositive,
  patienceMs: checkPositive,
  logger: portTable.logger,
  clock: portTable.clock,
} as const;

export function checkPatience(patienceMs: number, heartbeatMs: number): void {
  if (!(patienceMs > heartbeatMs))
    throw invalid('patienceMs', `more than \`heartbeatMs\` (${heartbeatMs})`, patienceMs);
}

/** Pruning asks no more of a clock. */
const now = port('now');

/** Options of `pruneRuns`. */
export interface PruneOptions {
  /** Removes runs that ended at least this many milliseconds ago. */
  readonly olderThanMs: number;
  /** Number of newest ended runs that always stay. @default 0 */
  readonly keep?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

export const pruneTable: OptionTable<PruneOptions> = {
  olderThanMs: required(checkAge),
  keep: whole(0),
  clock: now,
};

/** Options of `pruneVerdicts`. */
export interface PruneVerdictsOptions {
  /** Removes verdicts that were written more than this many milliseconds ago. */
  readonly olderThanMs: number;
  /** Largest number of verdicts; the newest stay. @default no limit */
  readonly max?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

export const pruneVerdictsTable: OptionTable<PruneVerdictsOptions> = {
  olderThanMs: required(checkAge),
  max: whole(0),
  clock: now,
};
