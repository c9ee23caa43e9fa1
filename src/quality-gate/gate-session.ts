import { mutex } from '../core/mutex.js';
import { gateErrors } from './errors.js';
import {
  advanced,
  type BeginStep,
  beginStep,
  type FinishedStep,
  failedReviews,
  feedbackOf,
  needsWork,
  selfReviewFeedback,
} from './finished-step.js';
import { isTimeout, QualityGateError } from './gate-error.js';
import { checkStepOutputs, type GateStep, typesOf } from './gate-job.js';
import type { GateReport } from './gate-report.js';
import { parseResult } from './gate-result.js';
import {
  checkedSession,
  type GateSessionOptions,
  type SessionSettings,
} from './gate-session-options.js';
import { freshStep, type GateState, loadState, type StepState } from './gate-state.js';
import type { GateOutputs } from './payload/outputs.js';

/** What an agent says when it has finished a step. */
export interface FinishedStepInput {
  readonly stepId: string;
  readonly outputs: GateOutputs;
  readonly notes?: string | undefined;
  /** Lets the step through without a review of the gate; recorded, and never approved. */
  readonly qualityReviewOverrideReason?: string | undefined;
  /** Who says so. @default 'agent' */
  readonly by?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a reviewer says of a step. */
export interface SubmittedVerdict {
  readonly stepId: string;
  readonly reviewer: string;
  /** From the instructions. */
  readonly hash: string;
  readonly token: string;
  /** The structured answer of seed 000. */
  readonly result: unknown;
}

/**
 * Holds an agent to the gate, step by step: the protocol of seed 000. Everything that it knows is in its state, so that another
 * process can go on.
 *
 * @example
 * ```ts
 * const session = new GateSession({ gate: new QualityGate({ root }), job, state: gateStateFile('.reviewloop/gates/1.json') });
 * const { status, feedback } = await session.finishedStep({ stepId: 'draft', outputs: { report: 'report.md' } });
 * ```
 */
export class GateSession {
  readonly #settings: SessionSettings;
  readonly #turn = mutex();

  /** @throws ReviewLoopError `invalid_options` */
  constructor(options: GateSessionOptions) {
    this.#settings = checkedSession(options);
  }

  /** Starts the job, or goes on with it. @throws QualityGateError `gate_state_invalid` */
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
   * Reviews what a step made, and says how to go on.
   *
   * @throws QualityGateError `gate_step_unknown`, `gate_output_invalid`, `gate_attempts_used`, `gate_review_failed` at the cap, `gate_state_invalid`; ReviewLoopError `path_outside`, `audit_unwritable`
   */
  finishedStep(input: FinishedStepInput): Promise<FinishedStep> {
    return this.#exclusively(async (state) => {
      const step = this.#step(input.stepId);
      checkStepOutputs(step, input.outputs);
      const about = { outputs: input.outputs, outputTypes: typesOf(step) };
      const missing = await this.#settings.gate.missingFiles(about);
      if (missing.length > 0)
        throw new QualityGateError(
          gateErrors.gate_output_invalid,
          `step ${step.id} names files that are not there: ${missing.join(', ')}`,
          { value: missing },
        );
      const hash = await this.#settings.gate.digest(about);
      const before = state.steps[step.id] ?? freshStep;
      const after = await this.#judged({ state, step, input, hash, before });
      await this.#save(state, step.id, after);
      this.#throwIfUsed(after);
      return isThrough(after) ? advanced(after, this.#next(state)) : needsWork(after);
    });
  }

  /** What is known of every step. */
  reviewStatus(): Promise<GateState> {
    return this.#exclusively(async (state) => ({
      ...state,
      steps: Object.fromEntries(
        this.#settings.job.steps.map(({ id }) => [id, state.steps[id] ?? freshStep]),
      ),
    }));
  }

  /**
   * Takes the verdict of a reviewer. It counts for exactly the content that the reviewer was given.
   *
   * @throws QualityGateError `gate_step_unknown`, `gate_verdict_refused`, `gate_result_invalid`
   */
  submitVerdict(given: SubmittedVerdict): Promise<StepState> {
    return this.#exclusively(async (state) => {
      const { id } = this.#step(given.stepId);
      const before = state.steps[id] ?? freshStep;
      checkVerdict(given, before);
      const { passed, feedback, criteria_results } = parseResult(given.result);
      const said = { passed, feedback, criteria_results: [...criteria_results] };
      const attempts = before.attempts + Number(!passed);
      const after: StepState = {
        ...before,
        status: attempts >= this.#settings.maxAttempts ? 'failed' : 'needs_work',
        attempts,
        feedback,
        failed_reviews: passed ? [] : [{ review_run_each: 'step', target_file: null, ...said }],
        verdicts: [
          ...before.verdicts,
          { reviewer: given.reviewer, hash: given.hash, ...said, at: this.#now() },
        ],
      };
      await this.#save(state, id, after);
      return after;
    });
  }

  /** Where the instructions for the review of a step are, and what a verdict must name; nothing where no review is under way. */
  getInstructions(stepId: string): Promise<Pick<StepState, 'instructions_path' | 'hash'>> {
    return this.#exclusively(async (state) => {
      this.#step(stepId);
      const { instructions_path, hash } = state.steps[stepId] ?? freshStep;
      return { instructions_path, hash };
    });
  }

  async #judged(job: Judging): Promise<StepState> {
    const { before, hash, input, step } = job;
    const { mode, verified } = this.#settings;
    if (isThrough(before) && before.hash === hash) return before;
    const reason = input.qualityReviewOverrideReason?.trim() ?? '';
    if (reason !== '' && !(mode === 'self' && verified)) return this.#overridden(job, reason);
    if (!step.reviews.some(({ quality_criteria: criteria }) => Object.keys(criteria).length > 0))
      return through(before, hash, {
        status: 'accepted',
        feedback: 'No quality criteria defined - auto-passing',
      });
    this.#throwIfUsed(before);
    return mode === 'external' ? this.#evaluated(job) : this.#selfReviewed(job);
  }

  /** The agent's own word: accepted, never approved, and only once it is recorded. */
  async #overridden(
    { state, step, input, hash, before }: Judging,
    reason: string,
  ): Promise<StepState> {
    const who = input.by ?? 'agent';
    const override = { who, reason, at: this.#now(), hash };
    const details = { job: state.job, step: step.id, session: state.session_id };
    await this.#settings.audit?.record({
      kind: 'gate.override',
      who,
      version: hash,
      verdict: before.status,
      decision: 'accepted',
      reason,
      details,
    });
    return { ...through(before, hash, { status: 'accepted', feedback: null }), override };
  }

  async #evaluated({ step, input, hash, before }: Judging): Promise<StepState> {
    const { gate, maxAttempts } = this.#settings;
    const about = { outputs: input.outputs, outputTypes: typesOf(step) };
    const report = await gate.review({
      ...about,
      reviews: step.reviews,
      notes: input.notes,
      signal: input.signal,
    });
    const changed = (await gate.digest(about)) !== hash;
    if (changed || report.outcome === 'inconclusive') {
      const feedback = changed
        ? 'The files changed while they were reviewed, so the review does not count'
        : feedbackOf(report.failures);
      return {
        ...before,
        status: 'needs_work',
        hash,
        review_errors: before.review_errors + 1,
        feedback,
        error: changed ? 'files_changed' : errorOf(report),
        failed_reviews: failedReviews(report),
      };
    }
    if (report.passed)
      return through(before, hash, {
        status: report.outcome === 'approved' ? 'approved' : 'accepted',
        feedback: passedFeedback(report),
      });
    const attempts = before.attempts + 1;
    return {
      ...before,
      status: attempts >= maxAttempts ? 'failed' : 'needs_work',
      hash,
      attempts,
      error: null,
      feedback: feedbackOf(report.failures),
      failed_reviews: failedReviews(report),
    };
  }

  async #selfReviewed({ state, step, input, hash, before }: Judging): Promise<StepState> {
    const { gate, verified, selfReviewInlineFiles: maxInlineFiles, random } = this.#settings;
    const verdict = verified ? before.verdicts.findLast((given) => given.hash === hash) : undefined;
    if (verdict?.passed === true)
      return through(before, hash, { status: 'approved', feedback: verdict.feedback });
    if (verdict !== undefined) return { ...before, status: 'needs_work', hash };
    const token = before.hash === hash && before.token !== null ? before.token : random.nonce();
    const about = {
      reviews: step.reviews,
      outputs: input.outputs,
      outputTypes: typesOf(step),
      notes: input.notes,
      maxInlineFiles,
    };
    const path = await gate.writeReviewInstructions({
      ...about,
      sessionId: state.session_id,
      stepId: step.id,
      ...(verified && { verdict: { hash, token } }),
    });
    return {
      ...before,
      status: 'needs_work',
      hash,
      token,
      instructions_path: path,
      failed_reviews: [],
      feedback: selfReviewFeedback(path, verified),
    };
  }

  #throwIfUsed({ attempts, review_errors, feedback, status }: StepState): void {
    const { maxAttempts, maxReviewErrors } = this.#settings;
    if (status === 'approved' || status === 'accepted') return;
    if (attempts >= maxAttempts)
      throw new QualityGateError(
        gateErrors.gate_attempts_used,
        `Quality gate failed after ${attempts} attempts. Feedback: ${feedback ?? ''}`,
      );
    if (review_errors >= maxReviewErrors)
      throw new QualityGateError(
        gateErrors.gate_review_failed,
        `Quality gate could not be evaluated ${review_errors} times. Last: ${feedback ?? ''}`,
      );
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
    return this.#settings.job.steps.find(({ id }) => !isThrough(steps[id] ?? freshStep));
  }

  async #save(state: GateState, stepId: string, step: StepState): Promise<void> {
    state.steps[stepId] = step;
    await this.#settings.state.save(state);
  }

  #now(): string {
    return new Date(this.#settings.clock.now()).toISOString();
  }

  /** One call after another: each begins with what the one before has saved. */
  #exclusively<Value>(work: (state: GateState) => Promise<Value>): Promise<Value> {
    const { state: store, job, sessionId, random } = this.#settings;
    return this.#turn(async () => work(await loadState(store, job, sessionId, random.id)));
  }
}

interface Judging {
  readonly state: GateState;
  readonly step: GateStep;
  readonly input: FinishedStepInput;
  readonly hash: string;
  readonly before: StepState;
}

function isThrough({ status }: StepState): boolean {
  return status === 'approved' || status === 'accepted';
}

function through(
  before: StepState,
  hash: string,
  ended: Pick<StepState, 'status' | 'feedback'>,
): StepState {
  return {
    ...before,
    ...ended,
    hash,
    token: null,
    instructions_path: null,
    error: null,
    failed_reviews: [],
    override: null,
  };
}

function errorOf({ failures }: GateReport): StepState['error'] {
  return failures.some(({ error }) => isTimeout(error)) ? 'timed_out' : 'review_failed';
}

function passedFeedback({ results }: GateReport): string {
  return results.map(({ feedback }) => feedback).join('; ');
}

function checkVerdict(
  { stepId, reviewer, hash, token }: SubmittedVerdict,
  before: StepState,
): void {
  if (typeof reviewer !== 'string' || reviewer.trim() === '')
    throw refused('a verdict needs the name of its reviewer');
  if (before.hash === null || before.token === null)
    throw refused(`no review of step ${stepId} is under way`);
  if (hash !== before.hash)
    throw refused(`the verdict is on other content of step ${stepId} than it holds now`);
  if (token !== before.token) throw refused('the token is not the one of the instructions');
}

function refused(what: string): QualityGateError {
  return new QualityGateError(gateErrors.gate_verdict_refused, what);
}
