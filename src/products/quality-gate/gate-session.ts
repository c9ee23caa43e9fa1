import { isVisible } from '../../core/human.js';
import { type Mutex, mutex } from '../../core/mutex.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { gateErrors } from './errors.js';
import {
  answerOf,
  type BeginStep,
  beginStep,
  type FinishedStep,
  type FinishedStepInput,
  type StepReview,
} from './finished-step.js';
import { QualityGateError } from './gate-error.js';
import { checkStepOutputs, type GateJob, type GateStep, isAbsent, typesOf } from './gate-job.js';
import { parseResult } from './gate-result.js';
import {
  type GateSessionOptions,
  type SessionSettings,
  sessionSettings,
} from './gate-session-options.js';
import { freshStep, type GateState, isGateOpen, type StepState } from './gate-state.js';
import { loadState, staleIds, stepDigest, withStaleSteps } from './load-state.js';
import type { GateOutputs, OutputTypes } from './payload/gate-outputs.js';
import type { QualityGate } from './quality-gate.js';
import { checkOutcome, isOpenFor, overrideStep, reviewStep } from './review-step.js';

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

const reasonRefused = 'A reason opens no gate of a verified session.';

interface StepCall {
  readonly state: GateState;
  readonly step: GateStep;
  readonly input: FinishedStepInput;
}

async function finishStep(
  settings: SessionSettings,
  { state: loaded, step, input: given }: StepCall,
  decide: (settings: SessionSettings, review: StepReview) => Promise<StepState> = reviewStep,
): Promise<FinishedStep> {
  const input = withoutSecrets(given);
  const state = await withStaleSteps(settings, loaded);
  const before = state.steps[step.id] ?? freshStep;
  await checkOutputs(settings, step, input, before);
  const known = {
    ...before,
    outputs: copyOf(input.outputs),
    handed_in: allHandedIn(before.handed_in, input.outputs, typesOf(step)),
    step_digest: stepDigest(step),
  };
  const hash = await settings.gate.digest({ outputs: input.outputs, outputTypes: typesOf(step) });
  await settings.state.save(withStep(state, [step.id, { ...known, outputs: before.outputs }]));
  const decided = await decide(settings, { state, step, input, hash, before: known });
  const after = await withStaleSteps(settings, withStep(state, [step.id, decided]));
  await settings.state.save(after);
  checkOutcome(settings, decided);
  const { job, verified } = settings;
  const own = after.steps[step.id] ?? decided;
  const place = { next: firstOpenStep(job, after), stale: staleIds(job, after) };
  const isRefused = verified && (input.qualityReviewOverrideReason ?? '').trim() !== '';
  return isRefused && !isGateOpen(own)
    ? answerOf({ ...own, feedback: `${reasonRefused}\n${own.feedback ?? ''}` }, place)
    : answerOf(own, place);
}

function withoutSecrets(input: FinishedStepInput): FinishedStepInput {
  const { notes, qualityReviewOverrideReason: reason } = input;
  return {
    ...input,
    ...(notes !== undefined && { notes: redactSecrets(notes) }),
    ...(reason !== undefined && { qualityReviewOverrideReason: redactSecrets(reason) }),
  };
}

function firstOpenStep(job: GateJob, { steps }: GateState): GateStep | undefined {
  return job.steps.find(({ id }) => !isGateOpen(steps[id] ?? freshStep));
}

async function checkOutputs(
  { gate }: SessionSettings,
  step: GateStep,
  { outputs }: FinishedStepInput,
  before: StepState,
): Promise<void> {
  checkStepOutputs(step, outputs);
  checkHandedIn(gate, step, { outputs, handedIn: before.handed_in });
  const missing = await gate.missingFiles({ outputs, outputTypes: typesOf(step) });
  if (missing.length > 0)
    throw new QualityGateError(
      { ...gateErrors.gate_output_invalid, fix: 'Create the files, or hand in other paths.' },
      `step ${step.id} names files that do not exist: ${missing.join(', ')}`,
      { value: missing },
    );
}

type NamedStep = readonly [id: string, step: StepState];

function withStep(state: GateState, [id, step]: NamedStep): GateState {
  return { ...state, steps: { ...state.steps, [id]: step } };
}

function copyOf(outputs: FinishedStepInput['outputs']): NonNullable<StepState['outputs']> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
}

type HandedIn = StepState['handed_in'];

function allHandedIn(before: HandedIn, outputs: GateOutputs, types: OutputTypes): HandedIn {
  const all = { ...before };
  for (const [name, value] of Object.entries(outputs)) {
    if (isAbsent(outputs, name)) continue;
    const paths = types[name] === 'files' && Array.isArray(value) ? value : [];
    all[name] = [...new Set([...(before[name] ?? []), ...paths])];
  }
  return all;
}

/**
 * No output that was handed in before may be left out, and no file of a list that still exists.
 * Otherwise an author could leave out what failed.
 */
function checkHandedIn(
  gate: QualityGate,
  step: GateStep,
  { outputs, handedIn }: { readonly outputs: GateOutputs; readonly handedIn: HandedIn },
): void {
  const declared = Object.entries(handedIn).filter(([name]) => Object.hasOwn(step.outputs, name));
  const absent = declared.flatMap(([name]) => (isAbsent(outputs, name) ? [name] : []));
  if (absent.length > 0)
    throw refused(
      `step ${step.id} handed in the output ${absent.join(', ')} before; hand it in again`,
      absent,
    );
  const files = declared.flatMap(([name, paths]) => gate.leftOutFiles(paths, outputs[name]));
  if (files.length > 0)
    throw refused(
      `step ${step.id} handed in ${files.join(', ')} before; hand it in again, or delete it`,
      files,
    );
}

function refused(what: string, value: unknown): QualityGateError {
  const fix = 'What was handed in once stays part of the step, whatever the review of it says.';
  return new QualityGateError({ ...gateErrors.gate_output_invalid, fix }, what, { value });
}

interface SubmittedVerdict {
  readonly stepId: string;
  readonly reviewer: string;
  /** The hash in the instructions. */
  readonly hash: string;
  /** The token in the instructions. */
  readonly token: string;
  /** The structured answer, in DeepWork's format. */
  readonly result: unknown;
}

/** A fail uses up the token, so that no other verdict on the same content follows it. */
function withSubmittedVerdict(
  { maxAttempts, clock, gate }: Pick<SessionSettings, 'maxAttempts' | 'clock' | 'gate'>,
  { step, before }: { readonly step: GateStep; readonly before: StepState },
  submitted: SubmittedVerdict,
): StepState {
  checkSubmitted(submitted, before);
  const { reviewer, hash } = submitted;
  const { passed, feedback, criteria_results } = parseResult(submitted.result);
  const unanswered = criteriaOf(step, before).filter(
    (name) => !criteria_results.some(({ criterion }) => criterion === name),
  );
  if (passed && unanswered.length > 0 && gate.everyCriterion)
    throw new QualityGateError(
      gateErrors.gate_result_invalid,
      `the verdict passes, but \`criteria_results\` has no entry for ${unanswered.join(', ')}`,
      { value: submitted.result },
    );
  const at = new Date(clock.now()).toISOString();
  const result = { passed, feedback, criteria_results: [...criteria_results] };
  const judged = {
    ...before,
    unanswered,
    feedback,
    error: null,
    verdicts: [...before.verdicts, { reviewer, hash, ...result, at }],
  };
  if (passed)
    return {
      ...judged,
      status: isGateOpen(before) ? before.status : 'needs_work',
      failed_reviews: [],
    };
  const attempts = before.attempts + 1;
  return {
    ...judged,
    status: attempts >= maxAttempts ? 'failed' : 'needs_work',
    attempts,
    token: null,
    failed_reviews: [{ review_run_each: 'step', target_file: null, ...result }],
  };
}

/** A verdict on the last outputs must answer them. */
function criteriaOf({ reviews }: GateStep, { outputs }: StepState): string[] {
  const names = reviews
    .filter(({ run_each: name }) => name === 'step' || !isAbsent(outputs ?? {}, name))
    .flatMap(({ quality_criteria: criteria }) => Object.keys(criteria));
  return [...new Set(names)];
}

function checkSubmitted(
  { stepId, reviewer, hash, token }: SubmittedVerdict,
  step: StepState,
): void {
  if (typeof reviewer !== 'string' || reviewer.trim() === '')
    throw verdictRefused('a verdict needs the name of its reviewer (reviewer)');
  if (step.hash === null || step.token === null)
    throw verdictRefused(`step ${stepId} has no review in progress; call finished_step first`);
  if (hash !== step.hash)
    throw verdictRefused(`the outputs of step ${stepId} changed after the reviewed version (hash)`);
  if (token !== step.token)
    throw verdictRefused(`the token differs from the token in the instructions of step ${stepId}`);
}

function verdictRefused(what: string): QualityGateError {
  return new QualityGateError(gateErrors.gate_verdict_refused, what);
}
