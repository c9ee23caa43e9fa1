import { tokensOf, type Usage } from '../../../core/usage.js';
import type { TaskReviewOptions } from '../../../products/task-review/task-review-options.js';
import type { TaskSettings } from './task-record.js';

type Limits = NonNullable<TaskReviewOptions['budget']>;

export interface Allotment {
  /** The limits of the run of the task; `undefined` without limits. */
  readonly budget: Limits | undefined;
  readonly settle: (used: Usage) => void;
}

/** Tasks that run at the same time share what is left, so that together they stay below it. */
export class TaskSpending {
  readonly #tokens: Share | undefined;
  readonly #usd: Share | undefined;
  readonly #parallel: number;
  #running = 0;

  constructor(
    { budgetTokens, budgetUsd }: Pick<TaskSettings, 'budgetTokens' | 'budgetUsd'>,
    parallel: number,
  ) {
    this.#tokens = budgetTokens === undefined ? undefined : new Share(budgetTokens);
    this.#usd = budgetUsd === undefined ? undefined : new Share(budgetUsd);
    this.#parallel = parallel;
  }

  get exhausted(): string | undefined {
    if (this.#tokens?.isUsedUp) return `--budget-tokens ${this.#tokens.limit}`;
    return this.#usd?.isUsedUp ? `--budget-usd ${this.#usd.limit}` : undefined;
  }

  /** `before` is what its run has spent in earlier commands. */
  allot(before: Usage): Allotment {
    const slots = Math.max(1, this.#parallel - this.#running);
    const tokens = this.#tokens?.take(slots);
    const usd = this.#usd?.take(slots);
    this.#running += 1;
    const budget: Limits = {
      ...(tokens && { tokens: Math.floor(tokens.amount) + (tokensOf(before) ?? 0) }),
      ...(usd && { costUsd: usd.amount + (before.costUsd ?? 0) }),
    };
    return {
      budget: Object.keys(budget).length === 0 ? undefined : budget,
      settle: (used) => {
        this.#running -= 1;
        tokens?.settle((tokensOf(used) ?? 0) - (tokensOf(before) ?? 0));
        usd?.settle((used.costUsd ?? 0) - (before.costUsd ?? 0));
      },
    };
  }
}

class Share {
  readonly limit: number;
  #left: number;

  constructor(limit: number) {
    this.limit = limit;
    this.#left = limit;
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  take(slots: number): { readonly amount: number; readonly settle: (used: number) => void } {
    const amount = this.#left / slots;
    this.#left -= amount;
    return {
      amount,
      settle: (used) => {
        this.#left += amount - Math.max(0, used);
      },
    };
  }
}
