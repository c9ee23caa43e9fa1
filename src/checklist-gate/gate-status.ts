import { severityAtLeast } from '../core/severity.js';
import { type BlockingTable, blockingFloor } from '../policies/blocking-table.js';
import { type ChecklistItem, type ChecklistState, gapSeverityOf } from './checklist.js';

/** Where a phase is (seed 001, with the end that its table claims and its states lack). */
export const ChecklistLoopState = {
  INITIAL: 'INITIAL',
  RETRY: 'RETRY',
  COMPLETE: 'COMPLETE',
  ESCALATED: 'ESCALATED',
} as const;
/** Where a phase is: before its first verdict, being fixed, passed, or before a person. */
export type ChecklistLoopState = (typeof ChecklistLoopState)[keyof typeof ChecklistLoopState];

/** How many items there are of each kind; computed when somebody asks, never stored. */
export interface ChecklistCounts {
  readonly total: number;
  readonly pass: number;
  readonly fail: number;
  readonly todo: number;
}

/** What decides: which severities block when, and after how many iterations a person is asked. */
export interface GateRules {
  readonly blocking: BlockingTable;
  readonly ceiling: number;
  /** Whether a PASS counts that does not tell what it is about. */
  readonly trustUnhashed: boolean;
  readonly allowEmpty: boolean;
}

/** What a state says. */
export interface GateStatus {
  /** The one bit that a router needs. */
  readonly status: 'PASS' | 'FAIL';
  readonly loop: ChecklistLoopState;
  readonly counts: ChecklistCounts;
  /** What failed and blocks. */
  readonly failed: readonly ChecklistItem[];
  /** What nobody has verified as it is now, and blocks. */
  readonly unverified: readonly ChecklistItem[];
  /** What failed and does not block: below the severities that still do, or accepted by a person. */
  readonly accepted: readonly ChecklistItem[];
}

/**
 * What a state says: PASS only when every item that blocks in this iteration has passed or was accepted (D001-11).
 *
 * @param isStale - Whether what an item is about has changed since it was verified.
 */
export function gateStatus(
  state: ChecklistState,
  rules: GateRules,
  isStale: (item: ChecklistItem) => boolean = () => false,
): GateStatus {
  const { items, iteration } = state;
  const blocks = (item: ChecklistItem): boolean => isBlocking(item, iteration, rules.blocking);
  const isOpen = (item: ChecklistItem): boolean =>
    item.status === 'TODO' ||
    (item.status === 'PASS' &&
      ((item.about === undefined && !rules.trustUnhashed) || isStale(item)));
  const failing = items.filter(({ status }) => status === 'FAIL');
  const failed = failing.filter((item) => item.accepted === undefined && blocks(item));
  const unverified = items.filter((item) => isOpen(item) && blocks(item));
  const count = (status: ChecklistItem['status']): number =>
    items.filter((item) => item.status === status).length;
  const status =
    failed.length === 0 && unverified.length === 0 && (items.length > 0 || rules.allowEmpty)
      ? 'PASS'
      : 'FAIL';
  const counts = {
    total: items.length,
    pass: count('PASS'),
    fail: failing.length,
    todo: count('TODO'),
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

/** Whether an item blocks in an iteration. */
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

/**
 * The state after a verdict of the gate; NEEDS_CHANGES is FAIL. COMPLETE and ESCALATED are ends.
 *
 * @param at - The iteration that was verified, and the last one before a person is asked.
 */
export function nextLoopState(
  state: ChecklistLoopState,
  verdict: 'PASS' | 'FAIL' | 'NEEDS_CHANGES',
  at: { readonly iteration: number; readonly ceiling: number },
): { readonly state: ChecklistLoopState; readonly iteration: number } {
  const { iteration, ceiling } = at;
  if (state === ChecklistLoopState.COMPLETE || state === ChecklistLoopState.ESCALATED)
    return { state, iteration };
  if (verdict === 'PASS') return { state: ChecklistLoopState.COMPLETE, iteration };
  if (iteration >= ceiling) return { state: ChecklistLoopState.ESCALATED, iteration };
  return { state: ChecklistLoopState.RETRY, iteration: iteration + 1 };
}
