import { mutex } from '../core/mutex.js';
import { gateErrors } from './errors.js';
import {
  type BeginStep,
  beginStep,
  type FinishedStep,
  type FinishedStepInput,
  needsWork,
  nextStep,
} from './finished-step.js';
import { QualityGateError } from './gate-error.js';
import { checkStepOutputs, type GateStep, typesOf } from './gate-job.js';
import {
  type GateSessionOptions,
  type SessionSettings,
  sessionSettings,
} from './gate-session-options.js';
import { freshStep, type GateState, loadState, type StepState } from './gate-state.js';
import { checkAttempts, isGateOpen, reviewStep } from './review-step.js';
import { type SubmittedVerdict, withSubmittedVerdict } from './submitted-verdict.js';

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
  readonly #turn = mutex();

  /** @throws ReviewLoopError `invalid_options` */
  constructor(options: GateSessionOptions) {
    this.#settings = sessionSettings(options);
  }

  /**
   * Starts or continues the job, and returns its first open step.
   *
   * @throws QualityGateError `gate_state_invalid`
   */
  start(): Promise<{ readonly session_id: string; readonly begin_step: BeginStep | null }> {
    return this.#exclusively(async (state) => {
      await this.#settings.state.save(state);
      const next = this.#next(state);
      return {
        session_id: state.session_id,
        begin_step: next === undefined ? null : beginStep(next),
      };
    });
  }

  /**
   * Reviews the outputs of a step. Returns the next step, or what to do before the gate opens.
   *
   * @throws QualityGateError `gate_step_unknown`, `gate_output_invalid`, `gate_attempts_used`,
   * `gate_review_failed` after `maxReviewErrors`, `gate_state_invalid`; ReviewLoopError
   * `path_outside`, `audit_unwritable`
   */
  finishedStep(input: FinishedStepInput): Promise<FinishedStep> {
    return this.#exclusively(async (state) => {
      const { gate } = this.#settings;
      const step = this.#step(input.stepId);
      checkStepOutputs(step, input.outputs);
      const outputs = { outputs: input.outputs, outputTypes: typesOf(step) };
      const missing = await gate.missingFiles(outputs);
      if (missing.length > 0)
        throw new QualityGateError(
          gateErrors.gate_output_invalid,
          `step ${step.id} names files that do not exist: ${missing.join(', ')}`,
          { value: missing },
        );
      const hash = await gate.digest(outputs);
      const before = state.steps[step.id] ?? freshStep;
      const after = await reviewStep(this.#settings, { state, step, input, hash, before });
      await this.#save(state, step.id, after);
      checkAttempts(this.#settings, after);
      return isGateOpen(after) ? nextStep(after, this.#next(state)) : needsWork(after);
    });
  }

  /** Returns the state of every step. */
  reviewStatus(): Promise<GateState> {
    return this.#exclusively(async (state) => ({
      ...state,
      steps: Object.fromEntries(
        this.#settings.job.steps.map(({ id }) => [id, state.steps[id] ?? freshStep]),
      ),
    }));
  }

  /**
   * Records the verdict of a reviewer. It counts only for the outputs that the reviewer read.
   *
   * @throws QualityGateError `gate_step_unknown`, `gate_verdict_refused`, `gate_result_invalid`
   */
  submitVerdict(given: SubmittedVerdict): Promise<StepState> {
    return this.#exclusively(async (state) => {
      const { id } = this.#step(given.stepId);
      const { maxAttempts, clock } = this.#settings;
      const at = new Date(clock.now()).toISOString();
      const before = state.steps[id] ?? freshStep;
      const after = withSubmittedVerdict(before, given, { maxAttempts, at });
      await this.#save(state, id, after);
      return after;
    });
  }

  /**
   * Returns the path of a step's instructions and the hash of its outputs; `null` without
   * instructions.
   */
  getInstructions(stepId: string): Promise<Pick<StepState, 'instructions_path' | 'hash'>> {
    return this.#exclusively(async (state) => {
      this.#step(stepId);
      const { instructions_path, hash } = state.steps[stepId] ?? freshStep;
      return { instructions_path, hash };
    });
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

  #next({ steps }: GateState): GateStep | undefined {
    return this.#settings.job.steps.find(({ id }) => !isGateOpen(steps[id] ?? freshStep));
  }

  async #save(state: GateState, stepId: string, step: StepState): Promise<void> {
    state.steps[stepId] = step;
    await this.#settings.state.save(state);
  }

  /** Runs calls one after another. Each loads the state that the one before has saved. */
  #exclusively<Value>(work: (state: GateState) => Promise<Value>): Promise<Value> {
    const { state: store, job, sessionId, random } = this.#settings;
    return this.#turn(async () =>
      work(await loadState(store, job, { sessionId, newId: random.id })),
    );
  }
}
