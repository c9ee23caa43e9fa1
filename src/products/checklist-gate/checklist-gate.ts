import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import type { HumanAnswer } from '../../core/human.js';
import type { RequestReference } from '../../engine/human-answers.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { ChecklistItem, ChecklistState } from '../../ports/checklist/checklist-state.js';
import type { AgentOutput } from '../self-review/agent.js';
import { acceptItem, beginIteration, updateItem, workStatus } from './change-item.js';
import { type FixGuidance, guidanceFor } from './checklist-text.js';
import { type ChecklistGateOptions, type GateSettings, gateSettings } from './gate-settings.js';
import type { GateStatus } from './gate-status.js';
import {
  answerGate,
  type DecomposeOptions,
  type Decomposition,
  decomposeWork,
  type GateRun,
  type GateVerification,
  runGate,
  verifyWork,
} from './run-gate.js';
import { readState } from './stored-checklist.js';
import type { ItemResult } from './transitions.js';

/**
 * A gate in the QR checklist format. It breaks a review into items and verifies them concurrently.
 * A fixer receives only the failed items. In later iterations only severe failures block. At the
 * last iteration the gate asks a person once.
 *
 * @example
 * ```ts
 * const store = memoryChecklists();
 * const decompose = planCompleteness();
 * const gate = new ChecklistGate({ phase: 'plan-structure', decompose, store });
 * await gate.decompose(work);
 * const { status, text } = await gate.verify(work);
 * ```
 */
export class ChecklistGate<Work = AgentOutput> {
  readonly #settings: GateSettings<Work>;

  /** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
  constructor(options: ChecklistGateOptions<Work>) {
    this.#settings = gateSettings(options);
  }

  /**
   * Adds a listener for the events of every verification. `reviewer-start` and `reviewer-end` show
   * which item is verified.
   */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#settings.listeners.push((pipeline) => void pipeline.on(event, listener));
  }

  /**
   * Breaks the work into items, all TODO. Existing items of the phase stay unchanged.
   *
   * @throws ReviewLoopError `checklist_empty`, `checklist_item_invalid`, `checklist_missing`,
   * `checklist_corrupt`, `checklist_newer`, `checklist_unavailable`
   */
  async decompose(work: Work, options: DecomposeOptions = {}): Promise<Decomposition> {
    return decomposeWork(this.#settings, work, options);
  }

  /**
   * Verifies the items that have no result for this work, and returns whether the gate passes. It
   * never creates a state.
   *
   * @throws ReviewLoopError `checklist_missing`, `checklist_corrupt`, `checklist_newer`,
   * `checklist_unavailable`, `cancelled`
   */
  async verify(
    work: Work,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<GateVerification> {
    return verifyWork(this.#settings, work, signal);
  }

  /**
   * Returns the status of the gate. It verifies nothing. With the work, an item whose content
   * changed after its PASS counts as unverified.
   */
  async status(work?: Work): Promise<GateStatus & { readonly iteration: number }> {
    const state = await this.state();
    return { ...workStatus(this.#settings, state, work), iteration: state.iteration };
  }

  /**
   * Returns the state of the phase.
   *
   * @throws ReviewLoopError `checklist_missing`, `checklist_corrupt`, `checklist_newer`,
   * `checklist_unavailable`
   */
  state(): Promise<ChecklistState> {
    return readState(this.#settings);
  }

  /** Returns instructions for a fixer about the failed items that block. It changes nothing. */
  async fixGuidance(): Promise<FixGuidance> {
    const gate = await this.status();
    return guidanceFor(gate.failed, gate);
  }

  /**
   * Begins the next iteration after a fix: failed items that block become TODO. Without such items
   * it changes nothing.
   *
   * @param work - The fixed work. If nothing that a failed item is about changed in it, the next
   *   iteration is no milder than this one.
   * @returns The answer for the caller, 'Fixes applied'.
   */
  async fixesApplied(work?: Work): Promise<string> {
    await beginIteration(this.#settings, work);
    return 'Fixes applied';
  }

  /**
   * Writes the result of a verifier that runs outside of the gate, and returns the item.
   *
   * @param work - The verified work. Without it a PASS counts only with `trustUnhashed`.
   * @throws ReviewLoopError `checklist_item_unknown`, `checklist_transition`
   */
  async update(id: string, result: Omit<ItemResult, 'about'>, work?: Work): Promise<ChecklistItem> {
    return updateItem(this.#settings, id, { result, work });
  }

  /**
   * Accepts the failure of an item in the name of a person, after the gate has asked. The audit log
   * records it first.
   *
   * @throws ReviewLoopError `checklist_not_escalated`, `checklist_item_unknown`,
   * `checklist_transition`, `reason_required`, `audit_unwritable`
   */
  async accept(
    id: string,
    given: { readonly by: string; readonly reason: string },
  ): Promise<ChecklistItem> {
    return acceptItem(this.#settings, id, given);
  }

  /**
   * Decomposes, verifies and fixes in turns until the gate passes or asks a person. A known `runId`
   * resumes its run.
   *
   * @throws ReviewLoopError For misuse, and the errors of `decompose`. Every other end is a result.
   */
  async run(work: Work, options: RunOptions = {}): Promise<GateRun<Work>> {
    return runGate(this.#settings, work, options);
  }

  /**
   * Answers the question of a run and resumes it, in any process with the same stores.
   *
   * @throws ReviewLoopError `request_stale` if another run took over, and the errors of `run`
   */
  async answer(
    request: RequestReference,
    answer: HumanAnswer,
    options: RunOptions = {},
  ): Promise<GateRun<Work>> {
    return answerGate(this.#settings, request, { answer, options });
  }
}
