import { isVerdict } from '../../core/assessment.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import type { Policy } from '../../core/policy.js';
import { addLedgers, emptyLedger, ledgerOf, type RepairLedger } from './attempts.js';

export interface DoNoHarmOptions {
  /**
   * Ledgers of earlier runs with the same judge and fixer, from {@link repairLedger}.
   *
   * @default []
   */
  readonly earlier?: readonly RepairLedger[] | undefined;
  /**
   * The least number of attempts, over all ledgers, before the policy may stop a run.
   *
   * @default 2
   */
  readonly attempts?: number | undefined;
}

/**
 * Stops fixing if the next attempt is expected to break at least as much as it repairs. It stops
 * unless repair rate / damage rate > accuracy / (1 - accuracy). The rates come from all known
 * attempts, as the judges saw them. Accuracy is the share of criteria that the best version passes.
 * Without any damage it never stops. The inner policy decides everything else.
 *
 * After Liu and Meng, "Self-correction as feedback control".
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const earlier = [repairLedger(lastOutcome.reviews)];
 * const policy = doNoHarm(noProgress(thresholds()), { earlier });
 * ```
 */
export function doNoHarm(inner: Policy, options: DoNoHarmOptions = {}): Policy {
  if (typeof inner !== 'function') throw invalid('inner', 'a policy', inner);
  checkKeys('doNoHarm', options, ['earlier', 'attempts']);
  const { earlier = [], attempts: least = 2 } = options;
  checkWhole('attempts', least, 1);
  if (!Array.isArray(earlier)) throw invalid('earlier', 'a list of ledgers', earlier);
  const before = earlier.map(checkedLedger).reduce(addLedgers, emptyLedger);
  return (evidence) => {
    const decision = inner(evidence);
    if (decision?.kind !== 'revise' || decision.from === 'anew') return decision;
    const ledger = addLedgers(before, ledgerOf(evidence));
    if (ledger.attempts < least || ledger.broken === 0) return decision;
    const judged = evidence.best.assessments.filter(isVerdict);
    const accuracy =
      judged.filter(({ verdict }) => verdict === 'pass').length / Math.max(1, judged.length);
    const repairs = rate(ledger.repaired, ledger.failing);
    const damages = rate(ledger.broken, ledger.passing);
    if (repairs * (1 - accuracy) > damages * accuracy) return decision;
    const told = [
      `${ledger.attempts} attempts repaired ${ledger.repaired} of ${ledger.failing} failing criteria`,
      `and broke ${ledger.broken} of ${ledger.passing} passing ones`,
    ].join(' ');
    return {
      kind: 'stop',
      status: 'stalled',
      code: 'harmful',
      reason:
        `${told}: with ${share(accuracy)} of the criteria passed, ` +
        'another fix is expected to break at least as much as it repairs',
    };
  };
}

function rate(part: number, of: number): number {
  return part / Math.max(1, of);
}

function share(value: number): string {
  return `${Math.floor(value * 100)} %`;
}

function checkedLedger(ledger: RepairLedger, index: number): RepairLedger {
  const name = `earlier[${index}]`;
  if (typeof ledger !== 'object' || ledger === null)
    throw invalid(name, 'a ledger from `repairLedger`', ledger);
  for (const member of ['attempts', 'failing', 'repaired', 'passing', 'broken'] as const)
    checkWhole(`${name}.${member}`, ledger[member], 0);
  if (ledger.repaired > ledger.failing || ledger.broken > ledger.passing)
    throw invalid(
      name,
      'a ledger with repaired <= failing and broken <= passing',
      JSON.stringify(ledger),
    );
  return ledger;
}
