import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer } from '../core/human.js';
import { digestOf } from '../core/json.js';
import type { Outcome } from '../core/outcome.js';
import type { Review } from '../core/review.js';
import type { RequestReference } from '../engine/human-answers.js';
import type { RunOptions } from '../engine/run-pipeline.js';
import { systemRandom } from '../ports/random.js';
import type { AgentOutput } from '../self-review/agent.js';
import type { ChecklistDraft, ChecklistItem, ChecklistState } from './checklist.js';
import { decomposeText, verifyText } from './checklist-text.js';
import { ChecklistVerdictStore, missing } from './checklist-verdict-store.js';
import { type FixGuidance, guidanceFor } from './fix-guidance.js';
import { type ChecklistGateOptions, checkedGate, type GateSettings } from './gate-options.js';
import { changeState, type GatePipeline, gatePipeline, stateOf } from './gate-pipeline.js';
import { erroredItems, reasonsOf } from './gate-reasons.js';
import type { DecomposeOptions, Decomposition, GateRun, GateVerification } from './gate-results.js';
import { ChecklistLoopState, type GateStatus, gateStatus } from './gate-status.js';
import { aboutsOf, type GateOutput, taskOf } from './item-reviewer.js';
import {
  type ItemResult,
  itemIn,
  newChecklist,
  withAcceptance,
  withReset,
  withVerdict,
} from './transitions.js';

/**
 * Seed 001's gate: a review is broken into items, which are verified side by side; fixers are told what failed and nothing else,
 * and what blocks relaxes by iteration, until the gate passes or asks a person once.
 *
 * @example
 * ```ts
 * const gate = new ChecklistGate({ phase: 'plan-structure', decompose: planCompleteness(), store: memoryChecklists(), provider });
 * await gate.decompose(work);
 * const { status, text } = await gate.verify(work);
 * ```
 */
export class ChecklistGate<Work = AgentOutput> {
  readonly #settings: GateSettings<Work>;

  /** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
  constructor(options: ChecklistGateOptions<Work>) {
    this.#settings = checkedGate(options);
  }

  /**
   * Breaks the work into items, once: what a phase was decomposed into stands.
   *
   * @throws ReviewLoopError `checklist_empty`, `checklist_item_invalid`, `checklist_missing`, `checklist_corrupt`, `checklist_newer`, `checklist_unavailable`
   */
  async decompose(work: Work, { inputs, signal }: DecomposeOptions = {}): Promise<Decomposition> {
    const { store, phase, allowEmpty } = this.#settings;
    const known = await store.read(phase);
    if (known !== undefined)
      return { items: known.items, created: false, text: decomposeText(known) };
    const drafts = await this.#drafts(work, signal);
    const made = {
      ...newChecklist(phase, drafts, { allowEmpty }),
      ...(inputs !== undefined && { inputs: [...inputs] }),
    };
    let created = false;
    const state = await store.update(phase, (there) => {
      created = there === undefined;
      return there ?? made;
    });
    return { items: state.items, created, text: decomposeText(state) };
  }

  /**
   * Verifies what is not known to hold for this very work, and says whether the gate passes. It never makes a state.
   *
   * @throws ReviewLoopError `checklist_missing`, `checklist_corrupt`, `checklist_newer`, `checklist_unavailable`, `cancelled`
   */
  async verify(
    work: Work,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<GateVerification> {
    const before = await this.state();
    const verdicts = new ChecklistVerdictStore(this.#settings.store, this.#settings.phase);
    let review: Review | undefined;
    if (before.items.length > 0) {
      review = await gatePipeline(this.#settings, {
        state: before,
        verdicts,
        from: before.iteration,
      }).review(taskOf(this.#settings), { cycle: 0, work }, signal && { signal });
      await verdicts.settle();
    }
    const state = await this.state();
    const judged = this.#statusOf(state, work);
    // a judge that failed never approves, whatever it was asked about (law 1)
    const failedJudges = review?.assessments.some(({ verdict }) => verdict === 'errored') ?? false;
    const gate: GateStatus =
      failedJudges && judged.status === 'PASS'
        ? {
            ...judged,
            status: 'FAIL',
            loop: ChecklistLoopState.RETRY,
            unverified: erroredItems(state, review),
          }
        : judged;
    return {
      ...gate,
      iteration: state.iteration,
      text: verifyText(gate, { reasons: reasonsOf(review) }),
      review,
    };
  }

  /** Where the phase is, as far as its state tells; with the work, also whether what passed has changed since. */
  async status(work?: Work): Promise<GateStatus & { readonly iteration: number }> {
    const state = await this.state();
    return { ...this.#statusOf(state, work), iteration: state.iteration };
  }

  /** @throws ReviewLoopError `checklist_missing`, `checklist_corrupt`, `checklist_newer`, `checklist_unavailable` */
  state(): Promise<ChecklistState> {
    return stateOf(this.#settings);
  }

  /** What a fixer needs to know: the items that failed and block. Nothing is changed. */
  async fixGuidance(): Promise<FixGuidance> {
    const gate = await this.status();
    return guidanceFor(gate.failed, gate);
  }

  /**
   * Tells that a fixer is done: what failed and blocks is TODO again, and the next iteration begins, once for each cycle.
   *
   * @returns The answer for the router.
   */
  async fixesApplied(): Promise<string> {
    await this.#change((state) => {
      const { failed } = gateStatus(state, this.#settings);
      return failed.length === 0
        ? state
        : withReset(state, new Set(failed.map(({ id }) => id)), state.iteration + 1);
    });
    return 'Fixes applied';
  }

  /**
   * Writes what a verifier outside of the gate says of an item.
   *
   * @param work - What it was verified over; without it the verdict does not tell, and a PASS counts only with `trustUnhashed`.
   * @throws ReviewLoopError `checklist_item_unknown`, `checklist_transition`
   */
  async update(
    id: string,
    verdict: Omit<ItemResult, 'about'>,
    work?: Work,
  ): Promise<ChecklistItem> {
    const abouts =
      work === undefined ? undefined : aboutsOf(this.#settings, await this.state(), work);
    return itemIn(
      await this.#change((state) => {
        const about = abouts?.get(id);
        // what has changed since it passed may be judged anew
        const passed = state.items.find((item) => item.id === id && item.status === 'PASS');
        const isStale =
          passed?.about !== undefined &&
          about !== undefined &&
          digestOf(passed.about) !== digestOf(about);
        return withVerdict(isStale ? withReset(state, new Set([id])) : state, id, {
          ...verdict,
          about,
        });
      }),
      id,
    );
  }

  /**
   * Lets the failure of an item through. Only a person does that, once the gate has asked; it is audited before it counts.
   *
   * @throws ReviewLoopError `checklist_not_escalated`, `checklist_item_unknown`, `checklist_transition`, `reason_required`, `audit_unwritable`
   */
  async accept(
    id: string,
    given: { readonly by: string; readonly reason: string },
  ): Promise<ChecklistItem> {
    const { phase, ports } = this.#settings;
    const state = await this.state();
    const item = itemIn(withAcceptance(state, id, given), id);
    if (this.#statusOf(state).loop !== ChecklistLoopState.ESCALATED)
      throw new ReviewLoopError(
        'checklist_not_escalated',
        `Item ${id} cannot be accepted yet: the gate of ${phase} has not asked a person`,
      );
    try {
      await ports.audit?.record({
        kind: 'checklist.accept',
        who: given.by.trim(),
        verdict: `FAIL: ${item.finding ?? ''}`,
        decision: 'accept',
        reason: given.reason.trim(),
        details: { phase, item: id },
      });
    } catch (error) {
      throw isReviewError(error)
        ? error
        : new ReviewLoopError(
            'audit_unwritable',
            `the audit log did not take the acceptance of ${id}: ${messageOf(error)}`,
            { cause: error },
          );
    }
    return itemIn(await this.#change((now) => withAcceptance(now, id, given)), id);
  }

  /**
   * Decomposes, verifies and fixes in turns, until the gate passes or asks a person. Goes on with the run of the same `runId`.
   *
   * @throws ReviewLoopError For misuse, and as `decompose`; every other end is a result.
   */
  async run(work: Work, options: RunOptions = {}): Promise<GateRun<Work>> {
    const { store, phase, runs, ports } = this.#settings;
    const { runId = (ports.random ?? systemRandom).id() } = options;
    const isKnown = (await (options.store ?? runs).read(runId)) !== undefined;
    if (!isKnown) await this.decompose(work);
    const state = await store.update(phase, (now) => {
      if (now === undefined) throw missing(phase);
      if (now.run?.id === runId) return now;
      if (isKnown)
        throw new ReviewLoopError(
          'run_conflict',
          `another run works on the checklist of ${phase} since run ${runId}`,
        );
      return { ...now, run: { id: runId, from: now.iteration } };
    });
    return this.#perform(
      state,
      (pipeline) => pipeline.run(taskOf(this.#settings), { ...options, runId }),
      work,
    );
  }

  /** Answers the question of a run, and goes on with it; in any process that has the same stores. */
  async answer(
    request: RequestReference,
    answer: HumanAnswer,
    options: RunOptions = {},
  ): Promise<GateRun<Work>> {
    const state = await this.state();
    if (state.run?.id !== request.runId)
      throw new ReviewLoopError(
        'request_stale',
        `the checklist of ${state.phase} is no longer that of run ${request.runId}`,
      );
    return this.#perform(state, (pipeline) => pipeline.answer(request, answer, options), undefined);
  }

  async #drafts(work: Work, signal: AbortSignal | undefined): Promise<readonly ChecklistDraft[]> {
    const { phase, decompose, modules, provider, request } = this.#settings;
    if (decompose !== undefined) return decompose(work);
    if (modules.length === 0) throw missing(phase);
    const drafts: ChecklistDraft[] = [];
    for (const module of modules)
      drafts.push(
        ...(await module.decompose(work, { drafts: [...drafts], request, provider, signal })),
      );
    return drafts;
  }

  async #perform(
    state: ChecklistState,
    go: (pipeline: GatePipeline<Work>) => Promise<Outcome<GateOutput<Work>>>,
    work: Work | undefined,
  ): Promise<GateRun<Work>> {
    const from = state.run?.from ?? state.iteration;
    const verdicts = new ChecklistVerdictStore(this.#settings.store, this.#settings.phase);
    const pipeline = gatePipeline(this.#settings, { state, verdicts, from, work });
    pipeline.on(
      'reviewer-end',
      ({ reviewer, iteration, reused, assessments }) =>
        reused && verdicts.again(reviewer, assessments, from + iteration - 1),
    );
    const outcome = await go(pipeline);
    await verdicts.settle();
    if (outcome.status === 'accepted') await this.#acceptAll(outcome.acceptance);
    const now = await this.state();
    const gate = this.#statusOf(now, outcome.output?.work);
    const through = outcome.status === 'approved' || outcome.status === 'accepted';
    const honest: GateStatus =
      gate.status === 'PASS' && !through
        ? { ...gate, status: 'FAIL', loop: ChecklistLoopState.RETRY }
        : gate;
    const last = outcome.reviews.at(-1);
    return {
      ...honest,
      iteration: now.iteration,
      text: verifyText(honest, { reasons: reasonsOf(last) }),
      work: outcome.output?.work,
      outcome,
    };
  }

  /** What a person let through with the work is accepted item by item. */
  async #acceptAll({
    by,
    reason,
  }: {
    readonly by: string;
    readonly reason: string;
  }): Promise<void> {
    await this.#change((state) =>
      gateStatus(state, this.#settings).failed.reduce(
        (now, { id }) => withAcceptance(now, id, { by, reason }),
        state,
      ),
    );
  }

  #change(change: (state: ChecklistState) => ChecklistState): Promise<ChecklistState> {
    return changeState(this.#settings, change);
  }

  #statusOf(state: ChecklistState, work?: Work): GateStatus {
    if (work === undefined) return gateStatus(state, this.#settings);
    const abouts = aboutsOf(this.#settings, state, work);
    return gateStatus(
      state,
      this.#settings,
      ({ id, about }) =>
        about !== undefined &&
        (abouts.get(id) === undefined || digestOf(abouts.get(id)) !== digestOf(about)),
    );
  }
}
