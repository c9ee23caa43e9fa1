import { checkKeys, checkPositive, checkWhole } from '../core/options.js';
import type { Budget, Definition, Timeouts } from '../engine/definition.js';

/** Returns the checked budget with its defaults. @throws ReviewLoopError `invalid_options` */
export function checkedBudget(
  budget: Budget,
  preset: number | undefined,
): Definition<never, never>['budget'] {
  checkKeys('budget', budget, ['reviews', 'tokens', 'costUsd', 'timeoutMs']);
  const { reviews = preset ?? 3 } = budget;
  checkWhole('budget.reviews', reviews, 1);
  for (const name of ['tokens', 'costUsd', 'timeoutMs'] as const)
    checkPositive(`budget.${name}`, budget[name]);
  return { ...budget, reviews };
}

/** Returns the checked timeouts with their defaults. @throws ReviewLoopError `invalid_options` */
export function checkedTimeouts(timeouts: Partial<Timeouts>): Timeouts {
  checkKeys('timeouts', timeouts, [
    'produceMs',
    'checkMs',
    'addressMs',
    'reviewMs',
    'iterationMs',
    'workspaceMs',
  ]);
  for (const [key, value] of Object.entries(timeouts)) checkPositive(`timeouts.${key}`, value);
  const {
    produceMs = 600_000,
    checkMs = 60_000,
    addressMs = 600_000,
    reviewMs,
    iterationMs,
    workspaceMs = 600_000,
  } = timeouts;
  return { produceMs, checkMs, addressMs, reviewMs, iterationMs, workspaceMs };
}
