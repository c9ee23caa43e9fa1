/** What tests and linter said of a version, for those who review it afterwards. */
export interface CheckNotes {
  readonly test?: string | undefined;
  readonly lint?: string | undefined;
}

/** Notes that the checks of a review leave for its later stages; gone with the run. */
export class CheckBoard {
  readonly #notes = new Map<string, Map<number, CheckNotes>>();

  put(runId: string, iteration: number, notes: CheckNotes): void {
    const ofRun = this.#notes.get(runId) ?? new Map<number, CheckNotes>();
    this.#notes.set(runId, ofRun.set(iteration, notes));
  }

  get(runId: string, iteration: number): CheckNotes {
    return this.#notes.get(runId)?.get(iteration) ?? {};
  }

  forget(runId: string): void {
    this.#notes.delete(runId);
  }
}
