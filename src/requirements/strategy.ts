import { invalid } from '../kernel/options.js';
import { dedupeRequirements } from './dedupe.js';
import type { Requirement } from './requirement.js';

/** A way to find requirements in a text: rules, your own function, or a model. */
export type RequirementStrategy = (text: string) => Promise<readonly Requirement[]> | readonly Requirement[];

/**
 * One strategy that asks several at once and says everything once: what stands in the same lines, or in the same words, is
 * the same requirement. The first strategy that finds it has it. One that fails fails the whole.
 *
 * @throws ReviewLoopError `invalid_options`
 *
 * @example
 * ```ts
 * const strategy = combineStrategies(explicitRequirements, (text) => myOwnRequirements(text));
 * ```
 */
export function combineStrategies(...strategies: readonly RequirementStrategy[]): RequirementStrategy {
  if (strategies.length === 0 || strategies.some((strategy) => typeof strategy !== 'function')) throw invalid('strategies', 'at least one function', strategies);
  return async (text) => {
    const [first = [], ...others] = await Promise.all(strategies.map(async (strategy) => strategy(text)));
    const kept = [...first];
    for (const found of others) {
      const before = [...kept];
      kept.push(...found.filter((requirement) => !before.some((other) => isSame(other, requirement))));
    }
    return dedupeRequirements(kept.sort((a, b) => a.line - b.line));
  };
}

/** Whether two requirements were read from the same lines and share most of their words. */
function isSame(a: Requirement, b: Requirement): boolean {
  if (a.endLine < b.line || b.endLine < a.line) return false;
  const words = [a, b].map(
    ({ text }) =>
      new Set(
        text
          .normalize('NFKC')
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu) ?? [],
      ),
  );
  const [left = new Set<string>(), right = new Set<string>()] = words;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared * 2 >= Math.min(left.size, right.size);
}
