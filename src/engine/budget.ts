import { ReviewLoopError } from '../core/errors.js';
import { addUsage, readUsage, tokensOf, type Usage } from '../core/usage.js';
import type { Budget } from './definition.js';

export type Phase = 'produce' | 'review' | 'address';

export interface Overrun {
  readonly code: 'budget_tokens' | 'budget_cost';
  readonly reason: string;
}

/**
 * A call reserves its estimate before it starts and settles afterwards, so that concurrent calls
 * cannot overspend together. Unreported usage stays undefined, not 0.
 */
export class Ledger {
  readonly usage: Record<Phase, Usage> = { produce: {}, review: {}, address: {} };
  /** The part of `usage` that no record of a step contains, by activity. */
  readonly #unrecorded = new Map<string, Usage>();
  /** What earlier processes recorded of activities that report it again. */
  readonly #written = new Map<string, Usage>();
  ofReview: Usage = {};
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
    if (phase === 'review') this.ofReview = addUsage(this.ofReview, usage);
  }

  noteUnrecorded(name: string, usage: Usage): void {
    this.#unrecorded.set(name, addUsage(this.#unrecorded.get(name) ?? {}, usage));
  }

  takeUnrecorded(name: string): Usage | undefined {
    const usage = this.#unrecorded.get(name);
    this.#unrecorded.delete(name);
    return usage;
  }

  /** Takes back what an earlier process counted and recorded, because an activity reports it again. */
  countAgain(phase: Phase, name: string, usage: Usage): void {
    this.usage[phase] = addUsage(this.usage[phase], negative(usage));
    this.#written.set(name, usage);
  }

  /** The part of `usage` that no record contains at all, by activity. */
  get unwritten(): readonly (readonly [string, Usage])[] {
    return [...this.#unrecorded].flatMap(([name, usage]) => {
      const written = this.#written.get(name);
      if (written === undefined) return [[name, usage] as const];
      const rest = Object.entries({ ...addUsage(usage, negative(written)) }).filter(
        ([, more = 0]) => more > 0,
      );
      return rest.length === 0 ? [] : [[name, Object.fromEntries(rest)] as const];
    });
  }

  /** @param uncounted - What earlier processes used for steps that are not replayed yet. */
  throwIfPassed(uncounted: Usage = {}): void {
    const { tokens, costUsd } = this.#limits;
    if (tokens === undefined && costUsd === undefined) return;
    const over = this.#over(addUsage(this.spent, uncounted), true);
    if (over !== undefined) throw new ReviewLoopError('budget_exceeded', over.reason);
  }

  /** @param uncounted - What earlier processes used for steps that are not replayed yet. */
  reserve(
    estimate: Usage,
    uncounted: Usage = {},
  ): { readonly release: (used: Usage) => Usage | undefined } {
    const expected = readUsage(estimate);
    const before = addUsage(addUsage(this.spent, uncounted), this.#reserved);
    const over = this.#over(addUsage(before, expected), true);
    if (over !== undefined) {
      this.#refused ??= over;
      throw new ReviewLoopError('budget_exceeded', over.reason);
    }
    this.#reserved = addUsage(this.#reserved, expected);
    let open = true;
    return {
      release: (used) => {
        if (!open) return undefined;
        const known = readUsage(used);
        open = false;
        this.#reserved = addUsage(this.#reserved, negative(expected));
        return known;
      },
    };
  }

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
    const beyond = (value = Number.NEGATIVE_INFINITY, limit = Number.POSITIVE_INFINITY): boolean =>
      strictly ? value > limit : value >= limit;
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

export function negative(usage: Usage): Usage {
  return Object.fromEntries(Object.entries({ ...usage }).map(([key, value = 0]) => [key, -value]));
}
