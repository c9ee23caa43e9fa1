import type * as z from 'zod';
import type { Usage } from './usage.js';

/** One try of a step's work. */
export interface StepAttempt {
  /** hash(run, step name, input): the same on every try, for services that take an idempotency key. */
  readonly key: string;
  /** Aborted when the step times out or the run ends. */
  readonly signal: AbortSignal;
  /** Counted from 1, over all processes that tried. */
  readonly attempt: number;
}

/** One call of a check. */
export interface CheckCall {
  /** Aborted when the check times out or the run ends. */
  readonly signal: AbortSignal;
}

/** How a step is identified and checked. */
export interface StepOptions<Value> {
  /** JSON data. The recorded value is replayed only for an equal input. */
  readonly input: unknown;
  /** Checked when the value is recorded and when it is replayed. */
  readonly schema: z.ZodType<Value>;
  /** Counted from the moment the step has its slot. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Does a leaf side effect (a model call, a command) once: its value is recorded, and replayed when the run is resumed.
 * Failures are not replayed. A step never calls a step or asks.
 */
export type Step = <Value>(
  name: string,
  options: StepOptions<Value>,
  work: (attempt: StepAttempt) => Promise<Value>,
) => Promise<Value>;

/** A reservation of budget. */
export interface BudgetReservation {
  /** Replaces the estimate by what was used; once. */
  readonly settle: (used: Usage) => void;
}

/** The budget of a run, for code that makes calls that cost. */
export interface ReviewBudget {
  /** Before a call that costs. @throws ReviewLoopError `budget_exceeded` when the estimate no longer fits */
  readonly reserve: (estimate: Usage) => BudgetReservation;
}

/** What every function of a user receives. */
export interface StepContext {
  readonly signal: AbortSignal;
  readonly step: Step;
  readonly runId: string;
  /** Counted from 1. */
  readonly iteration: number;
  /** Reports what calls cost, so that budgets can count it. */
  readonly reportUsage: (usage: Usage) => void;
  /** The budget of the run. */
  readonly budget: ReviewBudget;
}
