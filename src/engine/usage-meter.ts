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

  /** The usage that running calls have reported. */
  get open(): Usage | undefined {
    return this.#open;
  }

  /** Adds the report of a running call. */
  report(usage: Usage): void {
    this.#open = addUsage(this.#open ?? {}, usage);
  }

  /** Counts the open usage. */
  settle(): void {
    if (this.#open === undefined) return;
    this.count(this.#open);
    this.#open = undefined;
  }

  /** Counts usage towards the work and the run. */
  count(usage: Usage): void {
    this.settled = addUsage(this.settled, usage);
    this.#run.account(this.#phase, usage);
  }
}
