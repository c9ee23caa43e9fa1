import type { LLMProvider } from '../../core/llm-provider.js';
import { invalid } from '../../core/options.js';
import type { StepContext } from '../../core/step.js';
import { runsOf } from '../../core/text/words.js';
import { dedupeRequirements } from './dedupe.js';
import type { Requirement } from './requirement.js';

/** Records the calls of a strategy as steps and counts them against the budget. */
export interface StrategyContext
  extends Pick<StepContext, 'step' | 'signal' | 'reportUsage' | 'budget'> {
  /** Random text for fences. No author of a task can know it. */
  readonly nonce: string;
}

/** A way to find requirements in a text: rules, your own function, or a model. */
export interface RequirementStrategy {
  (
    text: string,
    context?: StrategyContext,
  ): Promise<readonly Requirement[]> | readonly Requirement[];
  /**
   * Whether the strategy records its own steps. Otherwise, it is recorded as one step.
   *
   * @default false
   */
  readonly makesSteps?: boolean | undefined;
  /** Returns the same strategy with a provider. Present only if the strategy needs a provider. */
  readonly withProvider?: ((provider: LLMProvider) => RequirementStrategy) | undefined;
}

/**
 * Creates a strategy that runs several strategies concurrently and returns each requirement once.
 * Requirements are the same if their lines or their words are the same; the first strategy wins. It
 * fails if one of them fails.
 *
 * @throws ReviewLoopError `invalid_options`
 *
 * @example
 * ```ts
 * const strategy = combineStrategies(explicitRequirements, (text) => myOwnRequirements(text));
 * ```
 */
export function combineStrategies(
  ...strategies: readonly RequirementStrategy[]
): RequirementStrategy {
  if (strategies.length === 0 || strategies.some((strategy) => typeof strategy !== 'function'))
    throw invalid('strategies', 'at least one function', strategies);
  const combined = async (text: string, context?: StrategyContext): Promise<Requirement[]> => {
    const [first = [], ...others] = await Promise.all(
      strategies.map(async (strategy) => strategy(text, context)),
    );
    const kept = [...first];
    for (const found of others) {
      const before = [...kept];
      kept.push(
        ...found.filter((requirement) => !before.some((other) => isSame(other, requirement))),
      );
    }
    return dedupeRequirements(kept.sort((a, b) => a.line - b.line));
  };
  return Object.assign(combined, {
    makesSteps: strategies.some(({ makesSteps }) => makesSteps === true),
    ...(strategies.some(({ withProvider }) => withProvider !== undefined) && {
      withProvider: (provider: LLMProvider) =>
        combineStrategies(
          ...strategies.map((strategy) => strategy.withProvider?.(provider) ?? strategy),
        ),
    }),
  });
}

/** Returns whether two requirements are from the same lines and share most of their words. */
function isSame(a: Requirement, b: Requirement): boolean {
  if (a.endLine < b.line || b.endLine < a.line) return false;
  const [left = new Set<string>(), right = new Set<string>()] = [a, b].map(
    ({ text }) =>
      new Set(Array.from(runsOf(text.normalize('NFKC').toLowerCase()), (run) => run.text)),
  );
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared * 2 >= Math.min(left.size, right.size);
}
