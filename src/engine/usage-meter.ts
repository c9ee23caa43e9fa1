import { addUsage, readUsage, type Usage } from '../core/usage.js';
import { negative, type Phase } from './budget.js';
import type { Run } from './run.js';
import type { StepResult } from './workspace-snapshots.js';

/** Counts each report once. */
export class UsageMeter {
  readonly #run: Run;
  readonly #phase: Phase;
  readonly #name: string;
  /** Whether a step was replayed, so that reports outside of steps are repetitions. */
  #repeats = false;
  /** What this work noted that no record contains. */
  #noted: Usage | undefined;
  #isTakenBack = false;
  #open: Usage | undefined;
  settled: Usage = {};

  constructor(run: Run, { phase, name }: { readonly phase: Phase; readonly name: string }) {
    this.#run = run;
    this.#phase = phase;
    this.#name = name;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Adds a report; one of a call that is still out is settled with the call. */
  report(usage: unknown, isWorking: boolean): void {
    const known = readUsage(usage);
    if (isWorking) this.#open = addUsage(this.#open ?? {}, known);
    else this.#takeBack();
    this.settled = addUsage(this.settled, known);
    this.#run.account(this.#phase, known);
    if (!isWorking) this.#note(known);
  }

  /** Reserves budget. What was really used is a report. */
  reserve(estimate: Usage, isWorking: () => boolean): { readonly settle: (used: Usage) => void } {
    const { ledger, journal } = this.#run;
    const { release } = ledger.reserve(estimate, journal?.past?.left);
    return {
      settle: (used) => {
        const known = release(used);
        if (known !== undefined && Object.keys(known).length > 0) this.report(known, isWorking());
      },
    };
  }

  /** Notes that no record contains the open usage. */
  settle(): void {
    const open = this.settleRecord();
    if (open !== undefined) this.#note(open);
  }

  settleRecord(): Usage | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open;
  }

  /** Counts what the calls of earlier processes used for a step, and what its replayed result did. */
  replay(name: string, replayed: StepResult<unknown> | undefined): void {
    if (replayed !== undefined) this.#repeats = true;
    if (this.#noted !== undefined) this.#takeBack();
    const past = this.#run.journal?.past?.take(name, name === this.#name);
    if (past !== undefined) this.#run.ledger.add(this.#phase, past);
    if (replayed?.usage !== undefined) this.settled = addUsage(this.settled, replayed.usage);
  }

  #note(usage: Usage): void {
    this.#noted = addUsage(this.#noted ?? {}, usage);
    this.#run.ledger.noteUnrecorded(this.#name, usage);
  }

  /** Takes back what an earlier process or try counted, and this one counts again. */
  #takeBack(): void {
    if (!this.#repeats || this.#isTakenBack) return;
    this.#isTakenBack = true;
    const { journal, ledger } = this.#run;
    const written = journal?.past?.takeOther(this.#name);
    if (written !== undefined) ledger.countAgain(this.#phase, this.#name, written);
    const tried = ledger.takeUnrecorded(this.#name);
    if (tried === undefined) return;
    ledger.add(this.#phase, negative(tried));
    if (this.#noted === undefined) return;
    ledger.add(this.#phase, this.#noted);
    ledger.noteUnrecorded(this.#name, this.#noted);
  }
}
