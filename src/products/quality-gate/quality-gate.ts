import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import { systemRandom } from '../../ports/random.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import {
  type InstructionsInput,
  instructionsPath,
  instructionsText,
  writeInstructions,
} from './gate-instructions.js';
import { hasCriteria } from './gate-job.js';
import {
  type GateSettings,
  gateSettings,
  hasReviewer,
  type QualityGateOptions,
} from './gate-options.js';
import { checkedReviews, planReviews, type ReviewsInput } from './gate-plan.js';
import type { GateReport, ReviewResult } from './gate-report.js';
import { autoPassed, type GateResult, parseResult } from './gate-result.js';
import { buildPayload } from './payload/build-payload.js';
import { digestOutputs, leftOutFiles, missingFiles, outputsOf } from './payload/gate-outputs.js';
import { checkContent, reviewOutputs, reviewSeconds } from './review-outputs.js';

export interface EvaluateInput
  extends Pick<ReviewsInput, 'outputs' | 'outputTypes' | 'notes' | 'signal'> {
  /** Questions by the name of the criterion. */
  readonly qualityCriteria: Readonly<Record<string, string>>;
  /** Further guidance for the reviewer. @default none */
  readonly additionalReviewGuidance?: string | undefined;
}

/** The result of `QualityGate.evaluate`. */
export interface EvaluateResult extends GateResult {
  /** Criteria that the reviewer did not answer. */
  readonly unanswered: readonly string[];
}

/**
 * DeepWork's quality gate: judges the outputs of a workflow step against named criteria. The
 * reviewer is a command line tool or a model. Without either, the agent starts a reviewer with a
 * file of instructions.
 *
 * @example
 * ```ts
 * const gate = new QualityGate({ cli: deepworkCli(), root });
 * const failures = await gate.evaluateReviews({ reviews, outputs: { report: 'report.md' } });
 * ```
 */
export class QualityGate {
  readonly #settings: GateSettings;

  /** @throws ReviewLoopError `invalid_options`, `file_unreadable` */
  constructor(options: QualityGateOptions = {}) {
    this.#settings = gateSettings(options);
  }

  /**
   * Adds a listener for the events of every review. `reviewer-start` and `reviewer-end` show which
   * task is reviewed, and what its reviewer used.
   */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#settings.listeners.push((pipeline) => void pipeline.on(event, listener));
  }

  /** The maximum number of inlined files. With more files, the reviewer receives only paths. */
  get maxInlineFiles(): number {
    return this.#settings.inline.maxInlineFiles;
  }

  /** Whether an answer that passes must name every criterion. */
  get everyCriterion(): boolean {
    return this.#settings.everyCriterion;
  }

  /** The absolute path of the folder that paths are relative to. */
  get root(): string {
    return this.#settings.inline.root.path;
  }

  /** Whether the gate has a reviewer: `cli` or `provider`. */
  get hasRunner(): boolean {
    return hasReviewer(this.#settings);
  }

  /** Returns the time limit of a review in seconds. */
  computeTimeout(files: number, chars?: number): number {
    return reviewSeconds(this.#settings, files, chars);
  }

  /**
   * Returns the payload of a review.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `path_outside`
   */
  async buildPayload({
    outputs,
    outputTypes,
    notes,
    signal,
  }: Pick<ReviewsInput, 'outputs' | 'outputTypes' | 'notes' | 'signal'>): Promise<string> {
    const { inline } = this.#settings;
    const parts = outputsOf(outputs, outputTypes);
    return (await buildPayload({ ...inline, outputs: parts, notes, signal })).text;
  }

  /**
   * Reads the structured answer of a reviewer.
   *
   * @throws QualityGateError `gate_result_invalid`
   */
  parseResult(data: unknown): GateResult {
    return parseResult(data);
  }

  /**
   * Returns the instructions for the agent's own reviewer as Markdown. It asks no reviewer.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `path_outside`
   */
  async buildReviewInstructionsFile(input: InstructionsInput): Promise<string> {
    const { inline, ports } = this.#settings;
    const outputs = outputsOf(input.outputs, input.outputTypes);
    const { maxInlineFiles = this.maxInlineFiles, signal } = input;
    const payload = await buildPayload({ ...inline, outputs, maxInlineFiles, signal });
    const hasMaterial =
      payload.files > payload.listed.length ||
      outputs.some(({ type }) => type === 'string') ||
      Boolean(input.notes);
    return instructionsText(input, {
      payload: payload.text,
      plan: planReviews(input),
      root: this.root,
      nonce: hasMaterial ? (ports.random ?? systemRandom).nonce() : '',
    });
  }

  /**
   * Writes the instructions of a step below the root, and returns their path relative to it.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `gate_nothing_to_review`, `path_outside`,
   * `output_unwritable`
   */
  async writeReviewInstructions({
    sessionId,
    stepId,
    ...input
  }: InstructionsInput & { readonly sessionId: string; readonly stepId: string }): Promise<string> {
    const { instructionsFolder, inline } = this.#settings;
    const path = instructionsPath(instructionsFolder, sessionId, stepId);
    if (hasCriteria(input)) await checkContent(planReviews(input), inline.root);
    await writeInstructions(inline.root, path, await this.buildReviewInstructionsFile(input));
    return path;
  }

  /**
   * Returns the digest of outputs, with the contents of their files.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `path_outside`, `file_unreadable`
   */
  digest({ outputs, outputTypes }: Pick<ReviewsInput, 'outputs' | 'outputTypes'>): Promise<string> {
    return digestOutputs(outputsOf(outputs, outputTypes), this.#settings.inline.root);
  }

  /**
   * Returns the paths of outputs that do not exist.
   *
   * @throws ReviewLoopError `gate_output_invalid`, `path_outside`
   */
  async missingFiles({
    outputs,
    outputTypes,
  }: Pick<ReviewsInput, 'outputs' | 'outputTypes'>): Promise<readonly string[]> {
    return missingFiles(outputsOf(outputs, outputTypes), this.#settings.inline.root);
  }

  /** Returns the earlier files of a list that still exist, but are not in the list of now. */
  leftOutFiles(
    earlier: readonly string[],
    now: string | readonly string[] = [],
  ): readonly string[] {
    return leftOutFiles(earlier, now, this.#settings.inline.root);
  }

  /**
   * Evaluates outputs against criteria once. Without criteria the result passes unreviewed.
   *
   * @throws QualityGateError `gate_no_runner`, `gate_review_failed`, `invalid_options`;
   * ReviewLoopError `gate_output_invalid`, `path_outside`
   */
  async evaluate({
    qualityCriteria,
    additionalReviewGuidance,
    ...input
  }: EvaluateInput): Promise<EvaluateResult> {
    const reviews = checkedReviews([
      {
        run_each: 'step',
        quality_criteria: qualityCriteria,
        additional_review_guidance: additionalReviewGuidance,
      },
    ]);
    if (reviews.every(({ quality_criteria: criteria }) => Object.keys(criteria).length === 0))
      return { ...autoPassed(), unanswered: [] };
    const [result] = (await this.review({ ...input, reviews })).results;
    if (result === undefined || result.error !== undefined)
      throw (
        result?.error ??
        new QualityGateError(gateErrors.gate_review_failed, 'the review has no result')
      );
    const { passed, feedback, criteria_results, contradicted, reviewed, unanswered } = result;
    return { passed, feedback, criteria_results, contradicted, reviewed, unanswered };
  }

  /**
   * Evaluates the reviews of a step concurrently, and returns those that did not pass. They include
   * reviews without a verdict.
   *
   * @throws QualityGateError `gate_no_runner`, `gate_output_invalid`
   */
  async evaluateReviews(input: ReviewsInput): Promise<readonly ReviewResult[]> {
    return (await this.review(input)).failures;
  }

  /**
   * Evaluates the reviews of a step concurrently, and returns every result.
   *
   * @throws QualityGateError `gate_no_runner`, `gate_output_invalid`
   */
  async review(input: ReviewsInput): Promise<GateReport> {
    return reviewOutputs(this.#settings, input);
  }
}
