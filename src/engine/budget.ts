import * as z from 'zod';
import { ReviewLoopError } from '../core/errors.js';
import { addUsage, tokensOf, type Usage, UsageSchema } from '../core/usage.js';
import type { Budget } from './definition.js';

/** The three kinds of work with costs. */
export type Phase = 'produce' | 'review' | 'address';

/** A budget that a run exceeded. */
export interface Overrun {
  readonly code: 'budget_tokens' | 'budget_cost';
  readonly reason: string;
}

/**
 * Counts the costs of a run. A call reserves its estimate before it starts and settles afterwards,
 * so that concurrent calls cannot overspend together. Unreported usage stays undefined, not 0.
 */
export class Ledger {
  readonly usage: Record<Phase, Usage> = { produce: {}, review: {}, address: {} };
  readonly #limits: Budget;
  #reserved: Usage = {};
  #refused: Overrun | undefined;

  constructor(limits: Budget) {
    this.#limits = limits;
  }

  get spent(): Usage {
    return addUsage(addUsage(this.usage.produce, this.usage.review), this.usage.address);
  }

  add(phase: Phase, usage: Usage): void {
    this.usage[phase] = addUsage(this.usage[phase], usage);
  }

  /**
   * @throws ReviewLoopError `budget_exceeded` if the estimate does not fit; `invalid_options` if it
   *   is not a usage, because no limit would apply any more
   */
  reserve(phase: Phase, estimate: Usage): { readonly settle: (used: Usage) => void } {
    const expected = checked(estimate);
    const over = this.#over(addUsage(addUsage(this.spent, this.#reserved), expected), true);
    if (over !== undefined) {
      this.#refused ??= over;
      throw new ReviewLoopError('budget_exceeded', over.reason);
    }
    this.#reserved = addUsage(this.#reserved, expected);
    let open = true;
    return {
      settle: (used) => {
        if (!open) return;
        const known = checked(used);
        open = false;
        this.#reserved = addUsage(this.#reserved, negative(expected));
        this.add(phase, known);
      },
    };
  }

  /** The exceeded budget, if any. */
  get overrun(): Overrun | undefined {
    return this.#refused ?? this.#over(this.spent, false);
  }

  /** Whether a limit on tokens or money is set, but no such usage was reported. */
  get blind(): boolean {
    const { tokens, costUsd } = this.#limits;
    return (
      (tokens !== undefined && tokensOf(this.spent) === undefined) ||
      (costUsd !== undefined && this.spent.costUsd === undefined)
    );
  }

  #over(usage: Usage, strictly: boolean): Overrun | undefined {
    const { tokens, costUsd } = this.#limits;
    const used = tokensOf(usage);
    const beyond = (value: number | undefined, limit: number | undefined): boolean =>
      value !== undefined && limit !== undefined && (strictly ? value > limit : value >= limit);
    const { spent } = this;
    if (beyond(used, tokens))
      return {
        code: 'budget_tokens',
        reason: overrunText(`token budget ${tokens}`, used, tokensOf(spent)),
      };
    if (beyond(usage.costUsd, costUsd))
      return {
        code: 'budget_cost',
        reason: overrunText(`cost budget ${costUsd} USD`, usage.costUsd, spent.costUsd),
      };
    return undefined;
  }
}

function overrunText(budget: string, total = 0, used = 0): string {
  const reserved = Number((total - used).toFixed(6));
  return `${budget} exceeded: ${used} used${reserved > 0 ? `, ${reserved} reserved` : ''}`;
}

function checked(usage: Usage): Usage {
  const { data, error } = z.safeParse(UsageSchema, usage);
  if (data === undefined)
    throw new ReviewLoopError(
      'invalid_options',
      `the usage is invalid: ${z.prettifyError(error)}`,
      {
        cause: error,
        value: usage,
      },
    );
  return data;
}

function negative(usage: Usage): Usage {
  return Object.fromEntries(Object.entries({ ...usage }).map(([key, value = 0]) => [key, -value]));
}
