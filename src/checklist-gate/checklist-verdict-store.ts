import { type Assessment, isJudged, type JudgedAssessment } from '../core/assessment.js';
import { type StoredVerdict, type VerdictStore, verdictKey } from '../ports/verdict-store.js';
import type { ChecklistItem, ChecklistPhase, ChecklistState } from './checklist.js';
import { type ChecklistStore, changeState, type StoredChecklist } from './checklist-store.js';
import { findVerdict, resultOfAssessment, withNewResult, withVerdict } from './item-verdicts.js';

/**
 * Returns the state of a phase as a verdict store, for your own pipelines. A verdict on an item
 * becomes the item's result. Other verdicts are stored beside the items. `ChecklistGate` needs no
 * such store.
 *
 * @example
 * ```ts
 * const verdicts = checklistVerdicts(fileChecklists('.qr'), 'plan-code');
 * const pipeline = definePipeline({ name: 'plan', reviewers, produce, verdicts });
 * ```
 */
export function checklistVerdicts(store: ChecklistStore, phase: ChecklistPhase): VerdictStore {
  return {
    get: async (key): Promise<StoredVerdict | undefined> => {
      const state = await store.read(phase);
      return state && structuredClone(findVerdict(state, key));
    },
    put: async (_key, verdict) => {
      await changeState({ store, phase }, (state) => withVerdict(state, structuredClone(verdict)));
    },
  };
}

/**
 * The state of a phase as the verdict store of a gate. A FAIL counts in its own iteration only. A
 * PASS counts whenever the content is the same. Verdicts that a run replays from an earlier
 * iteration change nothing.
 */
export class ChecklistVerdictStore implements VerdictStore {
  readonly #checklist: StoredChecklist;
  /** The iteration in which each item is being verified. */
  readonly #verifying = new Map<string, number>();
  /** The last verdict of each item. */
  readonly #last = new Map<string, StoredVerdict>();
  readonly #pending = new Set<Promise<void>>();
  /** The first error of the store. */
  #fault: unknown;

  constructor(checklist: StoredChecklist) {
    this.#checklist = checklist;
  }

  /** Records that the verification of an item begins. */
  begin(id: string, iteration: number): void {
    this.#verifying.set(id, iteration);
  }

  readonly get = async (key: string): Promise<StoredVerdict | undefined> => {
    const { store, phase } = this.#checklist;
    const state = await this.#recordFault(() => store.read(phase));
    const found = state && findVerdict(state, key);
    const item = state?.items.find(({ id }) => id === found?.about.reviewer);
    if (state === undefined || found === undefined || item === undefined) return undefined;
    if (isVerdictOf(item, key)) {
      if (item.status !== 'PASS' && item.iteration !== state.iteration) return undefined;
    } else {
      if (found.assessments.some(({ verdict }) => verdict !== 'pass')) return undefined;
      await this.#update((now) => withVerdict(now, found));
    }
    this.#last.set(item.id, found);
    return found;
  };

  readonly put = async (_key: string, verdict: StoredVerdict): Promise<void> => {
    const { reviewer } = verdict.about;
    const iteration = this.#verifying.get(reviewer);
    this.#last.set(reviewer, verdict);
    if (iteration !== undefined) await this.#write(verdict, iteration);
  };

  /** Writes the verdict that a run reused for an item. */
  reuse(id: string, assessments: readonly Assessment[], iteration: number): void {
    const last = this.#last.get(id);
    const judged = assessments.find(isJudged);
    const written = (
      last !== undefined
        ? this.#write(last, iteration)
        : judged !== undefined
          ? this.#writeFailure(id, judged, iteration)
          : Promise.resolve()
    ).catch(() => undefined);
    this.#pending.add(written);
    void written.finally(() => this.#pending.delete(written));
  }

  /** Waits for pending writes. @throws ReviewLoopError the first error of the store */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #write(verdict: StoredVerdict, iteration: number): Promise<void> {
    const failed = verdict.assessments.some((assessment) => assessment.verdict === 'fail');
    const status = failed ? 'FAIL' : 'PASS';
    const key = verdictKey(verdict.about);
    await this.#update((state) => {
      const item = state.items.find(({ id }) => id === verdict.about.reviewer);
      const isWritten = item !== undefined && isVerdictOf(item, key) && item.status === status;
      return state.iteration !== iteration || isWritten ? state : withVerdict(state, verdict);
    });
  }

  /** Writes a failure from the journal of a run. No store contains its inputs. */
  async #writeFailure(id: string, judged: JudgedAssessment, iteration: number): Promise<void> {
    await this.#update((state) => {
      const item = state.items.find((candidate) => candidate.id === id);
      if (item?.status !== 'TODO' || judged.verdict === 'pass' || state.iteration !== iteration)
        return state;
      return withNewResult(state, item, resultOfAssessment(item, judged, { usage: {}, at: 0 }));
    });
  }

  async #update(change: (state: ChecklistState) => ChecklistState): Promise<void> {
    await this.#recordFault(() => changeState(this.#checklist, change));
  }

  /**
   * Records the first error, which `settle` throws. The engine ignores a failing verdict store; a
   * gate must not.
   */
  async #recordFault<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      this.#fault ??= error;
      throw error;
    }
  }
}

/** Returns whether the result of an item is the verdict with a key. */
function isVerdictOf({ id, status, about }: ChecklistItem, key: string): boolean {
  return status !== 'TODO' && about !== undefined && verdictKey({ reviewer: id, ...about }) === key;
}
