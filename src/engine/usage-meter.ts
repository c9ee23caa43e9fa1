import { addUsage, type Usage } from '../core/usage.js';
import type { Phase } from './budget.js';
import type { Run } from './run.js';

/** Counts the usage of one work context, each report once. */
export class UsageMeter {
  readonly #run: Run;
  readonly #phase: Phase;
  /** Usage that running calls reported. */
  #open: Usage | undefined;
  /** Usage of finished calls. */
  settled: Usage = {};

  constructor(run: Run, phase: Phase) {
    this.#run = run;
    this.#phase = phase;
  }

  /** Adds a report of a call that is still out. */
  report(usage: Usage): void {
    this.#open = addUsage(this.#open ?? {}, usage);
  }

  /** Counts the open usage. */
  settle(): void {
    if (this.#open === undefined) return;
    this.count(this.#open);
    this.#open = undefined;
  }

  /** Settles, and returns what a finished step used: its own calls, or all of them if it is the whole work. */
  settleStep(isWhole: boolean): Usage | undefined {
    const own = this.#open;
    this.settle();
    return isWhole && Object.keys(this.settled).length > 0 ? this.settled : own;
  }

  /** Counts usage towards the work and the run. */
  count(usage: Usage): void {
    this.settled = addUsage(this.settled, usage);
    this.#run.account(this.#phase, usage);
  }
}
