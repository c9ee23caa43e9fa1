import type { LLMProvider } from '../core/llm-provider.js';
import { reviewOnce } from '../engine/review-once.js';
import { defined } from '../pipeline/define-pipeline.js';
import { allPass } from '../policies/all-pass.js';
import { systemRandom } from '../ports/random.js';
import { computeTimeout } from './compute-timeout.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { type InstructionsInput, instructionsText } from './gate-instructions.js';
import { checkedGate, type GateSettings, type QualityGateOptions } from './gate-options.js';
import { checkedReviews, type GateTask, planReviews, type ReviewsInput } from './gate-plan.js';
import {
  type GateReport,
  gateReport,
  type PreparedTask,
  type ReviewResult,
} from './gate-report.js';
import { autoPassed, type GateResult, parseResult } from './gate-result.js';
import { type GateAsking, type GateView, type GateViews, gateReviewer } from './gate-reviewer.js';
import { buildPayload, type Payload } from './payload/build-payload.js';
import { digestOutputs, missingFiles } from './payload/digest-outputs.js';
import { instructionsPath, writeInstructions } from './payload/gate-files.js';
import { type GateOutput, outputsOf } from './payload/outputs.js';

/** What one evaluation is about. */
export interface EvaluateInput
  extends Pick<ReviewsInput, 'outputs' | 'outputTypes' | 'notes' | 'signal'> {
  /** Questions by the name of the criterion. */
  readonly qualityCriteria: Readonly<Record<string, string>>;
  readonly additionalReviewGuidance?: string | undefined;
}

/**
 * Seed 000's gate: the outputs of a workflow step against named criteria, judged by an external reviewer, or by the agent's
 * own sub-reviewer with an instructions file.
 *
 * @example
 * ```ts
 * const gate = new QualityGate({ cli: deepworkCli({ cwd: root }), root });
 * const failures = await gate.evaluateReviews({ reviews, outputs: { report: 'report.md' } });
 * ```
 */
export class QualityGate {
  readonly #settings: GateSettings;

  /** @throws ReviewLoopError `invalid_options`, `file_unreadable` */
  constructor(options: QualityGateOptions = {}) {
    this.#settings = checkedGate(options);
  }

  /** With more files than this, only their paths are given. */
  get maxInlineFiles(): number {
    return this.#settings.inline.maxInlineFiles;
  }

  /** The folder that paths are relative to. */
  get root(): string {
    return this.#settings.inline.root.path;
  }

  /** Whether there is somebody to ask. */
  get hasRunner(): boolean {
    return this.#settings.cli !== undefined || this.#settings.provider !== undefined;
  }

  /** How many seconds a review may take. */
  computeTimeout(files: number, chars?: number): number {
    const { sizeTimeout, maxTimeoutSeconds } = this.#settings;
    return computeTimeout(files, {
      chars: sizeTimeout ? chars : undefined,
      maxSeconds: maxTimeoutSeconds,
    });
  }

  /**
   * What a reviewer is given to read.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `path_outside`
   */
  async buildPayload({
    outputs,
    outputTypes,
    notes,
    signal,
  }: Pick<ReviewsInput, 'outputs' | 'outputTypes' | 'notes' | 'signal'>): Promise<string> {
    return (await this.#payload(outputsOf(outputs, outputTypes), { notes, signal })).text;
  }

  /**
   * Reads the structured output of a reviewer.
   *
   * @throws QualityGateError `gate_result_invalid`
   */
  parseResult(data: unknown): GateResult {
    return parseResult(data);
  }

  /**
   * The instructions for the agent's own reviewer, as a Markdown document. Nobody is asked.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `path_outside`
   */
  async buildReviewInstructionsFile(input: InstructionsInput): Promise<string> {
    const outputs = outputsOf(input.outputs, input.outputTypes);
    const { maxInlineFiles = this.maxInlineFiles, signal } = input;
    const payload = await buildPayload({
      ...this.#settings.inline,
      outputs,
      maxInlineFiles,
      signal,
    });
    const nonce =
      payload.files > payload.listed.length ||
      outputs.some(({ type }) => type === 'string') ||
      input.notes
        ? (this.#settings.ports.random ?? systemRandom).nonce()
        : '';
    return instructionsText(input, {
      payload: payload.text,
      plan: planReviews(input),
      root: this.root,
      nonce,
    });
  }

  /**
   * Writes the instructions of a step where the agent finds them, and says where: a path below the root.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `path_outside`, `output_unwritable`
   */
  async writeReviewInstructions({
    sessionId,
    stepId,
    ...input
  }: InstructionsInput & { readonly sessionId: string; readonly stepId: string }): Promise<string> {
    const { instructionsFolder, inline } = this.#settings;
    const path = instructionsPath(instructionsFolder, sessionId, stepId);
    await writeInstructions(inline.root, path, await this.buildReviewInstructionsFile(input));
    return path;
  }

  /** The digest of what a step made, contents included. @throws ReviewLoopError `gate_output_invalid`, `path_outside`, `file_unreadable` */
  digest({ outputs, outputTypes }: Pick<ReviewsInput, 'outputs' | 'outputTypes'>): Promise<string> {
    return digestOutputs(outputsOf(outputs, outputTypes), this.#settings.inline.root);
  }

  /** The files of outputs that are not there. @throws ReviewLoopError `gate_output_invalid`, `path_outside` */
  async missingFiles({
    outputs,
    outputTypes,
  }: Pick<ReviewsInput, 'outputs' | 'outputTypes'>): Promise<readonly string[]> {
    return missingFiles(outputsOf(outputs, outputTypes), this.#settings.inline.root);
  }

  /**
   * Evaluates outputs against criteria, once.
   *
   * @throws QualityGateError `gate_no_runner`, `gate_review_failed`, `invalid_options`; ReviewLoopError `gate_output_invalid`, `path_outside`
   */
  async evaluate({
    qualityCriteria,
    additionalReviewGuidance,
    ...input
  }: EvaluateInput): Promise<GateResult> {
    const reviews = checkedReviews([
      {
        run_each: 'step',
        quality_criteria: qualityCriteria,
        additional_review_guidance: additionalReviewGuidance,
      },
    ]);
    if (reviews.every(({ quality_criteria: criteria }) => Object.keys(criteria).length === 0))
      return autoPassed();
    const [result] = (await this.review({ ...input, reviews })).results;
    if (result === undefined || result.error !== undefined)
      throw (
        result?.error ?? new QualityGateError(gateErrors.gate_review_failed, 'there is no result')
      );
    const { passed, feedback, criteria_results, contradicted, reviewed } = result;
    return { passed, feedback, criteria_results, contradicted, reviewed };
  }

  /**
   * Evaluates every review of a step, side by side, and gives those that did not pass; a review that could not be made is one
   * of them.
   *
   * @throws QualityGateError `gate_no_runner`, `gate_output_invalid`
   */
  async evaluateReviews(input: ReviewsInput): Promise<readonly ReviewResult[]> {
    return (await this.review(input)).failures;
  }

  /** The same, with everything that is known of it. @throws QualityGateError `gate_no_runner`, `gate_output_invalid` */
  async review(input: ReviewsInput): Promise<GateReport> {
    const { tasks, skipped } = planReviews(input);
    const asked = tasks.filter(({ review }) => Object.keys(review.quality_criteria).length > 0);
    if (asked.length > 0 && !this.hasRunner) {
      throw new QualityGateError(
        gateErrors.gate_no_runner,
        'Cannot evaluate quality gate without a CLI runner. Use build_review_instructions_file() for self-review mode.',
      );
    }
    const prepared = new Map<string, Prepared>();
    for (const task of asked) prepared.set(task.id, await this.#prepare(task, input));
    const review =
      asked.length === 0 ? undefined : await this.#reviewed([...prepared.values()], input.signal);
    const reported = tasks.map(
      (task): PreparedTask => ({ task, altered: prepared.get(task.id)?.altered ?? {} }),
    );
    return gateReport(reported, skipped, review);
  }

  #reviewed(prepared: readonly Prepared[], signal: AbortSignal | undefined) {
    const definition = defined<null, GateViews>({
      ...this.#settings.ports,
      name: 'quality-gate',
      failFast: false,
      policy: allPass(),
      reviewers: prepared.map(({ asking }) => gateReviewer(asking)),
    });
    return reviewOnce(
      definition,
      null,
      Object.fromEntries(prepared.map(({ asking, view }) => [asking.id, view])),
      signal,
    );
  }

  /** A task whose payload cannot be made is reported as one that failed, and costs the others nothing. */
  async #prepare(task: GateTask, { notes = '', signal }: ReviewsInput): Promise<Prepared> {
    const { cli, everyCriterion } = this.#settings;
    const criteria = task.review.quality_criteria;
    const guidance = task.review.additional_review_guidance ?? '';
    const base = { id: task.id, target: task.target, cli: cli !== undefined, everyCriterion };
    try {
      const payload = await this.#payload(task.outputs, { notes, signal });
      const seconds = this.computeTimeout(payload.files, payload.text.length);
      const provider = this.#runner(seconds * 1000);
      const asking = { ...base, seconds, provider, problem: this.#unseen(payload) };
      return {
        asking,
        view: { criteria, notes, guidance, payload: payload.text },
        altered: payload.altered,
      };
    } catch (problem) {
      signal?.throwIfAborted();
      return {
        asking: { ...base, seconds: 0, provider: nobody, problem },
        view: { criteria, notes, guidance, payload: '' },
        altered: {},
      };
    }
  }

  #unseen({ listed }: Payload): QualityGateError | undefined {
    if (this.#settings.readsFiles || listed.length === 0) return undefined;
    return new QualityGateError(
      gateErrors.gate_review_failed,
      `the reviewer cannot read files, and ${listed.length} of them are only listed: raise maxInlineFiles, or set readsFiles`,
      { value: listed },
    );
  }

  #runner(timeoutMs: number): LLMProvider {
    const { cli, provider } = this.#settings;
    return cli?.(timeoutMs) ?? provider ?? nobody;
  }

  #payload(
    outputs: readonly GateOutput[],
    { notes, signal }: Pick<ReviewsInput, 'notes' | 'signal'>,
  ): Promise<Payload> {
    return buildPayload({ ...this.#settings.inline, outputs, notes, signal });
  }
}

interface Prepared {
  readonly asking: GateAsking;
  readonly view: GateView;
  readonly altered: Readonly<Record<string, number>>;
}

/** Stands where a task comes to no question. */
const nobody: LLMProvider = {
  id: 'nobody',
  capabilities: {
    structured: 'json',
    schemaSubset: 'full',
    streaming: false,
    reportsUsage: false,
    reportsCost: false,
  },
  generate: () =>
    Promise.reject(new QualityGateError(gateErrors.gate_no_runner, 'nobody is there to be asked')),
};
