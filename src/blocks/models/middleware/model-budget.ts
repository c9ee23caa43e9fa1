import { ReviewLoopError } from '../../../core/errors.js';
import { checkPositive, checkTable, type OptionTable } from '../../../core/options.js';
import { addUsage, tokensOf, type Usage } from '../../../core/usage.js';

/** How much a model may use. */
export interface ModelBudgetOptions {
  /** Largest number of tokens; above 0. @default unlimited */
  readonly tokens?: number | undefined;
  /** Largest cost in US dollars; above 0. @default unlimited */
  readonly costUsd?: number | undefined;
}

const table: OptionTable<ModelBudgetOptions> = { tokens: checkPositive, costUsd: checkPositive };

export interface ModelReservation {
  /** Replaces the reservation with the actual usage. Only the first call counts. */
  readonly settle: (used: Usage) => void;
}

/** A budget that several providers can share. */
export interface ModelBudget {
  /** What was spent so far, without the reservations of calls in progress. */
  readonly spent: Usage;
  /** Whether the budget limits the cost. */
  readonly countsMoney: boolean;
  /**
   * Reserves the expected usage of a call.
   *
   * @throws ReviewLoopError `budget_exceeded` if less is left
   */
  readonly reserve: (expected: Usage) => ModelReservation;
}

/**
 * Creates a budget for model calls, in tokens, in US dollars, or both.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const budget = modelBudget({ tokens: 200_000, costUsd: 2 });
 * ```
 */
export function modelBudget(options: ModelBudgetOptions): ModelBudget {
  checkTable('modelBudget', table, options);
  const { tokens = Number.POSITIVE_INFINITY, costUsd = Number.POSITIVE_INFINITY } = options;
  let spent: Usage = {};
  let reservedTokens = 0;
  let reservedCost = 0;
  return {
    get spent() {
      return spent;
    },
    countsMoney: costUsd !== Number.POSITIVE_INFINITY,
    reserve: (expected) => {
      const [wantedTokens, wantedCost] = [tokensOf(expected) ?? 0, expected.costUsd ?? 0];
      const [usedTokens, usedCost] = [
        (tokensOf(spent) ?? 0) + reservedTokens,
        (spent.costUsd ?? 0) + reservedCost,
      ];
      if (usedTokens + wantedTokens > tokens)
        throw exceeded(
          `${tokens} tokens`,
          `${usedTokens} used or reserved, ${wantedTokens} requested`,
        );
      if (usedCost + wantedCost > costUsd)
        throw exceeded(`${costUsd} USD`, `${usedCost} used or reserved, ${wantedCost} requested`);
      reservedTokens += wantedTokens;
      reservedCost += wantedCost;
      let open = true;
      return {
        settle: (used) => {
          if (!open) return;
          open = false;
          reservedTokens -= wantedTokens;
          reservedCost -= wantedCost;
          spent = addUsage(spent, used);
        },
      };
    },
  };
}

function exceeded(limit: string, why: string): ReviewLoopError {
  return new ReviewLoopError('budget_exceeded', `the model budget of ${limit} is exceeded: ${why}`);
}

/** Prices of tokens, in US dollars per million. */
export interface ModelPrices {
  /** Price of a million input tokens. */
  readonly inputPerMillion: number;
  /** Price of a million output tokens. */
  readonly outputPerMillion: number;
}

export function priced(usage: Usage, prices: ModelPrices | undefined): Usage {
  if (prices === undefined) return usage;
  const { inputTokens, outputTokens } = usage;
  // tokens of unknown kind cost as much as output tokens
  const output = outputTokens ?? (tokensOf(usage) ?? 0) - (inputTokens ?? 0);
  return {
    ...usage,
    costUsd:
      ((inputTokens ?? 0) * prices.inputPerMillion + output * prices.outputPerMillion) / 1_000_000,
  };
}
