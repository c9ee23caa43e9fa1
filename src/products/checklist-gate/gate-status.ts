import { severityAtLeast } from '../../core/gap.js';
import { type BlockingTable, blockingFloor } from '../../engine/policies/severity-by-iteration.js';
import type { ChecklistItem, ChecklistState } from '../../ports/checklist/checklist-state.js';
import { gapSeverityOf } from './checklist.js';

/**
 * The state of a phase's loop: INITIAL before its first failure, RETRY while failures are fixed,
 * COMPLETE when the gate passes, ESCALATED when a person must decide.
 */
export const ChecklistLoopState = {
  INITIAL: 'INITIAL',
  RETRY: 'RETRY',
  COMPLETE: 'COMPLETE',
  ESCALATED: 'ESCALATED',
} as const;
/** The state of a phase's loop. */
export type ChecklistLoopState = (typeof ChecklistLoopState)[keyof typeof ChecklistLoopState];

/**
 * A PASS that is about other content counts as TODO. They are computed on demand and never stored.
 */
export interface ChecklistCounts {
  readonly total: number;
  readonly pass: number;
  readonly fail: number;
  readonly todo: number;
}

export interface GateRules {
  readonly blocking: BlockingTable;
  /** The iteration after which the gate asks a person. */
  readonly ceiling: number;
  /** Whether a PASS without digests counts. */
  readonly trustUnhashed: boolean;
  /** Whether a phase without items passes. */
  readonly allowEmpty: boolean;
}

/** The status of a gate, and the items that decide it. */
export interface GateStatus {
  /** PASS only if every item has a result, and each blocking one passed or was accepted. */
  readonly status: 'PASS' | 'FAIL';
  readonly loop: ChecklistLoopState;
  readonly counts: ChecklistCounts;
  /** Failed items that block. */
  readonly failed: readonly ChecklistItem[];
  /** Items without a result for their current content. None of them passes, whatever its severity. */
  readonly unverified: readonly ChecklistItem[];
  /** Failed items that do not block: their severity is too low, or a person accepted them. */
  readonly accepted: readonly ChecklistItem[];
}

/** @param isStale - Whether the content of an item changed after its verification. */
export function gateStatus(
  state: ChecklistState,
  rules: GateRules,
  isStale: (item: ChecklistItem) => boolean = () => false,
): GateStatus {
  const { items, iteration, unchanged = 0 } = state;
  const blocks = (item: ChecklistItem): boolean =>
    isBlocking(item, iteration - unchanged, rules.blocking);
  const isOpen = (item: ChecklistItem): boolean =>
    item.status === 'TODO' ||
    (item.status === 'PASS' &&
      ((item.about === undefined && !rules.trustUnhashed) || isStale(item)));
  const failing = items.filter(({ status }) => status === 'FAIL');
  const failed = failing.filter((item) => item.accepted === undefined && blocks(item));
  const unverified = items.filter(isOpen);
  const pass = items.filter((item) => item.status === 'PASS' && !isOpen(item)).length;
  const status =
    failed.length === 0 && unverified.length === 0 && (items.length > 0 || rules.allowEmpty)
      ? 'PASS'
      : 'FAIL';
  const counts = {
    total: items.length,
    pass,
    fail: failing.length,
    todo: items.length - failing.length - pass,
  };
  return {
    status,
    loop: loopOf(state, { status, failed: failed.length, ceiling: rules.ceiling }),
    counts,
    failed,
    unverified,
    accepted: failing.filter((item) => !failed.includes(item)),
  };
}

export function isBlocking(
  { severity }: Pick<ChecklistItem, 'severity'>,
  iteration: number,
  table: BlockingTable,
): boolean {
  return severityAtLeast(gapSeverityOf(severity), blockingFloor(table, iteration));
}

function loopOf(
  { iteration }: ChecklistState,
  {
    status,
    failed,
    ceiling,
  }: { readonly status: 'PASS' | 'FAIL'; readonly failed: number; readonly ceiling: number },
): ChecklistLoopState {
  if (status === 'PASS') return ChecklistLoopState.COMPLETE;
  if (failed > 0 && iteration >= ceiling) return ChecklistLoopState.ESCALATED;
  return failed > 0 || iteration > 1 ? ChecklistLoopState.RETRY : ChecklistLoopState.INITIAL;
}
