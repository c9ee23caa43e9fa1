import { isVisible } from '../../core/human.js';
import { type Mutex, mutex } from '../../core/mutex.js';
import { gateErrors } from './errors.js';
import { finishStep, firstOpenStep } from './finish-step.js';
import {
  type BeginStep,
  beginStep,
  type FinishedStep,
  type FinishedStepInput,
} from './finished-step.js';
import { QualityGateError } from './gate-error.js';
import type { GateStep } from './gate-job.js';
import {
  type GateSessionOptions,
  type SessionSettings,
  sessionSettings,
} from './gate-session-options.js';
import { freshStep, type GateState, type StepState } from './gate-state.js';
import { loadState, withStaleSteps } from './load-state.js';
import { isOpenFor, overrideStep } from './review-step.js';
import { type SubmittedVerdict, withSubmittedVerdict } from './submitted-verdict.js';

export interface AcceptedStepInput extends Pick<FinishedStepInput, 'stepId' | 'outputs'> {
  /** The reason, which is recorded. */
  readonly reason: string;
  /** The name of the person. */
  readonly by: string;
}

/**
 * Guides an agent through the steps of a job, with the protocol of DeepWork's quality gate. All its
 * data is in its state, so another process can continue.
 *
 * @example
 * ```ts
 * const state = gateStateFile('.reviewloop/gates/1.json');
 * const session = new GateSession({ gate: new QualityGate({ root }), job, state });
 * const outputs = { report: 'report.md' };
 * const { status, feedback } = await session.finishedStep({ stepId: 'draft', outputs });
 * ```
 */
export class GateSession {
  readonly #settings: SessionSettings;
  readonly #alone: Mutex;

  /** @throws ReviewLoopError `invalid_options` */
  constructor(options: GateSessionOptions) {
    this.#settings = sessionSettings(options);
    this.#alone = this.#settings.state.alone ?? mutex();
  }

  /**
   * Starts or continues the job, and returns its first open step.
   *
   * @throws QualityGateError `gate_state_invalid`, `gate_session_verified`
   */
  start(): Promise<{ readonly session_id: string; readonly begin_step: BeginStep | null }> {
    return this.#exclusively(async (loaded) => {
      const state = await withStaleSteps(this.#settings, loaded);
      await this.#settings.state.save(state);
      const next = firstOpenStep(this.#settings.job, state);
      return {
        session_id: state.session_id,
        begin_step: next === undefined ? null : beginStep(next),
      };
    });
  }

  /**
   * Reviews the outputs of a step. Returns the next step, or what to do before the gate opens. An
   * output that was handed in once cannot be left out later. A step whose outputs changed since is
   * open again.
   *
   * @throws QualityGateError `gate_step_unknown`, `gate_output_invalid`, `gate_nothing_to_review`,
   * `gate_attempts_used`, `gate_review_failed` from `maxReviewErrors`, `gate_state_invalid`,
   * `gate_session_verified`; ReviewLoopError `path_outside`, `audit_unwritable`
   */
  finishedStep(input: FinishedStepInput): Promise<FinishedStep> {
    return this.#exclusively((state) =>
      finishStep(this.#settings, { state, step: this.#step(input.stepId), input }),
    );
  }

  /**
   * Accepts a step for a person's reason, also in a verified session and after a fail. Do not offer
   * it to the author of the work.
   *
   * @throws QualityGateError `gate_step_unknown`, `gate_output_invalid`, `gate_verdict_refused`
   * without a reason or a name; ReviewLoopError `audit_unwritable`
   */
  acceptStep({ stepId, outputs, reason, by }: AcceptedStepInput): Promise<FinishedStep> {
    return this.#exclusively((state) => {
      if (reason.trim() === '' || !isVisible(by))
        throw new QualityGateError(
          gateErrors.gate_verdict_refused,
          'a person who accepts a step needs a name (by) and a reason',
        );
      const call = { state, step: this.#step(stepId), input: { stepId, outputs, by } };
      return finishStep(this.#settings, call, async (settings, review) =>
        isOpenFor(review) ? review.before : overrideStep(settings, review, reason.trim()),
      );
    });
  }

  /** Returns the state of every step. It waits for no review. */
  async reviewStatus(): Promise<GateState> {
    const state = await withStaleSteps(this.#settings, await loadState(this.#settings));
    return {
      ...state,
      steps: Object.fromEntries(
        this.#settings.job.steps.map(({ id }) => [id, state.steps[id] ?? freshStep]),
      ),
    };
  }

  /**
   * Records the verdict of a reviewer. It counts only for the outputs that the reviewer read. A
   * fail stands until they change.
   *
   * @throws QualityGateError `gate_step_unknown`, `gate_verdict_refused`, `gate_result_invalid`
   */
  submitVerdict(given: SubmittedVerdict): Promise<StepState> {
    return this.#exclusively(async (state) => {
      const step = this.#step(given.stepId);
      const before = state.steps[step.id] ?? freshStep;
      const after = withSubmittedVerdict(this.#settings, { step, before }, given);
      await this.#settings.state.save({ ...state, steps: { ...state.steps, [step.id]: after } });
      return after;
    });
  }

  /**
   * Returns the path of a step's instructions and the hash of its outputs; `null` without
   * instructions. It waits for no review.
   */
  async getInstructions(stepId: string): Promise<Pick<StepState, 'instructions_path' | 'hash'>> {
    this.#step(stepId);
    const { steps } = await loadState(this.#settings);
    const { instructions_path, hash } = steps[stepId] ?? freshStep;
    return { instructions_path, hash };
  }

  #step(id: string): GateStep {
    const { steps, name } = this.#settings.job;
    const step = steps.find((candidate) => candidate.id === id);
    if (step === undefined)
      throw new QualityGateError(
        gateErrors.gate_step_unknown,
        `job ${name} has no step ${JSON.stringify(id)}; it has ${steps.map((known) => known.id).join(', ')}`,
        { value: id },
      );
    return step;
  }

  /** Runs calls one after another. Each loads the state that the one before has saved. */
  #exclusively<Value>(work: (state: GateState) => Promise<Value>): Promise<Value> {
    return this.#alone(async () => work(await loadState(this.#settings)));
  }
}
