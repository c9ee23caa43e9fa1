import { type Assessment, isJudged, type JudgedAssessment } from '../core/assessment.js';
import { ReviewLoopError } from '../core/errors.js';
import { type StoredVerdict, type VerdictStore, verdictKey } from '../ports/verdict-store.js';
import type { ChecklistItem, ChecklistPhase, ChecklistState } from './checklist.js';
import type { ChecklistStore } from './checklist-store.js';
import { checklistErrors } from './errors.js';
import { findVerdict, saidBy, withKept, withSaid } from './item-results.js';

/**
 * The state of a phase as the verdict store of a gate. A FAIL stands for the iteration that it was found in, a PASS for as long as
 * its content is the same or is so again; what a run replays of an earlier iteration changes nothing.
 */
export class ChecklistVerdictStore implements VerdictStore {
  readonly #store: ChecklistStore;
  readonly #phase: ChecklistPhase;
  /** The iteration in which each item is being verified, and its last verdict. */
  readonly #verifying = new Map<string, number>();
  readonly #last = new Map<string, StoredVerdict>();
  readonly #open = new Set<Promise<void>>();
  /** What could not be read or kept. */
  #fault: unknown;

  constructor(store: ChecklistStore, phase: ChecklistPhase) {
    this.#store = store;
    this.#phase = phase;
  }

  /** Tells that an item is about to be verified. */
  begin(id: string, iteration: number): void {
    this.#verifying.set(id, iteration);
  }

  readonly get = async (key: string): Promise<StoredVerdict | undefined> => {
    const state = await this.#known(() => this.#store.read(this.#phase));
    const found = state && findVerdict(state, key);
    const item = state?.items.find(({ id }) => id === found?.about.reviewer);
    if (state === undefined || found === undefined || item === undefined) return undefined;
    if (isAbout(item, key)) {
      if (item.status !== 'PASS' && item.iteration !== state.iteration) return undefined;
    } else {
      if (found.assessments.some(({ verdict }) => verdict !== 'pass')) return undefined;
      await this.#update((now) => withKept(now, found));
    }
    this.#last.set(item.id, found);
    return found;
  };

  readonly put = async (_key: string, verdict: StoredVerdict): Promise<void> => {
    const { reviewer } = verdict.about;
    const iteration = this.#verifying.get(reviewer);
    this.#last.set(reviewer, verdict);
    if (iteration !== undefined) await this.#keep(verdict, iteration);
  };

  /** Keeps what a run knew of an item and did not ask for again. */
  again(id: string, assessments: readonly Assessment[], iteration: number): void {
    const last = this.#last.get(id);
    const judged = assessments.find(isJudged);
    const kept = (
      last !== undefined
        ? this.#keep(last, iteration)
        : judged !== undefined
          ? this.#keepFailure(id, judged, iteration)
          : Promise.resolve()
    ).catch(() => undefined);
    this.#open.add(kept);
    void kept.finally(() => this.#open.delete(kept));
  }

  /** Waits for what is being kept. @throws ReviewLoopError what could not be kept */
  async settle(): Promise<void> {
    await Promise.all(this.#open);
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #keep(verdict: StoredVerdict, iteration: number): Promise<void> {
    const status = verdict.assessments.some(({ verdict: said }) => said === 'fail')
      ? 'FAIL'
      : 'PASS';
    const key = verdictKey(verdict.about);
    await this.#update((state) => {
      const item = state.items.find(({ id }) => id === verdict.about.reviewer);
      const stands = item !== undefined && isAbout(item, key) && item.status === status;
      return state.iteration !== iteration || stands ? state : withKept(state, verdict);
    });
  }

  /** What the record of a run says failed, and no store knows over what. */
  async #keepFailure(id: string, judged: JudgedAssessment, iteration: number): Promise<void> {
    await this.#update((state) => {
      const item = state.items.find((candidate) => candidate.id === id);
      if (item?.status !== 'TODO' || judged.verdict === 'pass' || state.iteration !== iteration)
        return state;
      return withSaid(state, item, saidBy(item, judged, { usage: {}, at: 0 }));
    });
  }

  async #update(change: (state: ChecklistState) => ChecklistState): Promise<void> {
    await this.#known(() =>
      this.#store.update(this.#phase, (state) => {
        if (state === undefined) throw missing(this.#phase);
        return change(state);
      }),
    );
  }

  /** The engine asks again, or goes on, when a store fails; a gate must not. */
  async #known<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      this.#fault ??= error;
      throw error;
    }
  }
}

/** Whether an item stands for the verdict under a key. */
function isAbout({ id, status, about }: ChecklistItem, key: string): boolean {
  return status !== 'TODO' && about !== undefined && verdictKey({ reviewer: id, ...about }) === key;
}

/** The error of a phase without a state. */
export function missing(phase: ChecklistPhase): ReviewLoopError {
  return new ReviewLoopError(
    checklistErrors.checklist_missing,
    `QR state file not found: qr-${phase}.json`,
    {
      value: phase,
    },
  );
}
