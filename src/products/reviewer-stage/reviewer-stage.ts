import { ReviewLoopError } from '../../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import type { DecisionAnswer, HumanAnswer } from '../../core/human.js';
import type { Outcome } from '../../core/outcome.js';
import type { Review } from '../../core/review.js';
import { answerRun, decideRun, overrideRun, resumeRun } from '../../engine/answer-run.js';
import type { Definition } from '../../engine/definition.js';
import { engineErrors } from '../../engine/errors.js';
import type { RequestReference, VersionReference } from '../../engine/human-answers.js';
import type { RunOptions } from '../../engine/run-options.js';
import { startRun } from '../../engine/run-pipeline.js';
import type { Logger } from '../../ports/logger.js';
import { type CompletedWork, parseWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { type StageTask, stageDefinition } from './stage-definition.js';
import { dimensionsOf, type StageDimension } from './stage-dimension.js';
import { type ReviewerStageOptions, type StageSettings, stageSettings } from './stage-options.js';
import { type StageResult, stageResultOf } from './stage-result.js';

/** A stage of an orchestrator, which calls `onEnter`, `execute` and `onExit` in this order. */
export interface OrchestratorStage<Input, Result> {
  /** Validates the input and returns it. */
  readonly onEnter: (input: Input) => Promise<Input>;
  /** Does the work of the stage. */
  readonly execute: (input: Input, options?: RunOptions) => Promise<Result>;
  /** Reports the result and returns it. */
  readonly onExit: (result: Result) => Promise<Result>;
}

/**
 * The final review of finished work. It judges the work by dimensions and asks a person if
 * `humanReview` requires it. It sends rejected work back through `replan`.
 *
 * @example
 * ```ts
 * const stage = new ReviewerStage({ provider, humanReview: 'prompt' });
 * const { decision, feedback, summary } = await stage.review(work);
 * ```
 */
export class ReviewerStage implements OrchestratorStage<CompletedWork, StageResult> {
  readonly #settings: StageSettings;
  readonly #definition: StageDefinition;

  /**
   * @throws ReviewLoopError `invalid_options`, `no_reviewers`, `duplicate_id`, `provider_missing`
   */
  constructor(options: ReviewerStageOptions) {
    const settings = stageSettings(options);
    this.#settings = settings;
    this.#definition = stageDefinition(settings);
    this.on('review-end', ({ review }) =>
      logCycle(settings.logger, review, dimensionsOf(settings.dimensions, review)),
    );
  }

  /** The enabled dimensions. */
  get dimensions(): readonly Dimension[] {
    return this.#settings.dimensions;
  }

  /**
   * Adds a listener for events of every review. `reviewer-start` and `reviewer-end` show progress.
   */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#definition.events.on(event, listener);
  }

  /**
   * Validates the work before it is reviewed.
   *
   * @throws ReviewLoopError `task_invalid`
   */
  async onEnter(work: CompletedWork): Promise<CompletedWork> {
    const parsed = parseWork(work);
    logLifecycle(this.#settings.logger, 'enter', parsed);
    return parsed;
  }

  /**
   * Reviews the work. With the `runId` of a recorded run, it continues that run.
   *
   * @throws ReviewLoopError Only for misuse, such as `task_invalid`. All other ends are results.
   */
  async execute(given: CompletedWork, options?: RunOptions): Promise<StageResult> {
    const work = parseWork(given);
    logLifecycle(this.#settings.logger, 'execute', work);
    const task = { sessionId: work.sessionId, request: work.request };
    const start = (definition: StageDefinition) => startRun(definition, task, options);
    return this.#resultOf(start, work);
  }

  /** Logs the decision. */
  async onExit(result: StageResult): Promise<StageResult> {
    logDecision(this.#settings.logger, result, this.#settings.humanReview !== 'auto');
    return result;
  }

  /**
   * Calls `onEnter`, `execute` and `onExit`: one review, or several with `replan`.
   *
   * @throws ReviewLoopError Only for misuse. All other ends are results.
   */
  async review(work: CompletedWork, options?: RunOptions): Promise<StageResult> {
    return this.onExit(await this.execute(await this.onEnter(work), options));
  }

  /** Continues a recorded review with the answers in its record, in any process. */
  async resume(runId: string, options?: RunOptions): Promise<StageResult> {
    return this.#continued((definition) => resumeRun(definition, runId, options));
  }

  /** Answers a person's question and continues the review, in any process with the same store. */
  async answer(
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ): Promise<StageResult> {
    return this.#continued((definition) => answerRun(definition, request, answer, options));
  }

  /**
   * Decides what no judge could tell about suspended or ended work, and continues the review. The
   * decision by level then counts these answers.
   */
  async decide(
    version: VersionReference,
    given: Omit<DecisionAnswer, 'kind'>,
    options?: RunOptions,
  ): Promise<StageResult> {
    return this.#continued((definition) => decideRun(definition, version, given, options));
  }

  /**
   * Accepts rejected, escalated or timed out work, with a name and a reason. The reviewers'
   * decision stays in the result.
   */
  async override(
    version: VersionReference,
    given: { readonly by: string; readonly reason: string },
    options?: RunOptions,
  ): Promise<StageResult> {
    return this.#continued((definition) => overrideRun(definition, version, given, options));
  }

  async #continued(start: Start): Promise<StageResult> {
    return this.onExit(await this.#resultOf(start));
  }

  async #resultOf(start: Start, work?: CompletedWork): Promise<StageResult> {
    const produce = async (): Promise<CompletedWork> => work ?? unrecordedWork();
    const { clock } = this.#definition;
    const startedAt = clock.now();
    const run = await start({ ...this.#definition, produce });
    return stageResultOf(run, { settings: this.#settings, work, startedAt, now: clock.now() });
  }
}

type StageDefinition = Definition<StageTask, CompletedWork>;

type Start = (definition: StageDefinition) => Promise<Outcome<CompletedWork>>;

function unrecordedWork(): never {
  throw new ReviewLoopError(
    engineErrors.run_unknown,
    'the record of this review does not contain the work',
  );
}

function logLifecycle(logger: Logger, moment: 'enter' | 'execute', work: CompletedWork): void {
  logger.info(
    {
      event: `stage_${moment}`,
      stage: 'reviewer',
      session_id: work.sessionId,
      changed_files: work.changedFiles.length,
    },
    `reviewer stage: ${moment}`,
  );
}

function logCycle(
  logger: Logger,
  { iteration, decision, durationMs }: Review,
  dimensions: readonly StageDimension[],
): void {
  logger.info(
    {
      event: 'review_cycle',
      cycle: iteration,
      decision: decision.kind,
      reasoning: decision.reason,
      duration_ms: durationMs,
      dimensions: Object.fromEntries(dimensions.map(({ id, level }) => [id, level ?? 'failed'])),
      explanations: Object.fromEntries(dimensions.map(({ id, explanation }) => [id, explanation])),
    },
    `review ${iteration}: ${decision.kind}`,
  );
}

/** The field names are part of the log format. */
function logDecision(
  logger: Logger,
  { run, decision, dimensions, summary, outcome, reasoning, cycles, code }: StageResult,
  humanReview: boolean,
): void {
  logger.info(
    {
      event: 'review_decision',
      session_id: summary?.sessionId,
      decision: decision.toLowerCase(),
      dimensions: Object.fromEntries(dimensions.map(({ id, level }) => [id, level ?? 'failed'])),
      duration_ms: summary?.durationMs,
      human_review: humanReview,
      run: run.runId,
      outcome,
      cycles,
      reasoning,
      ...(code !== undefined && { code }),
      ...(run.decidedBy !== undefined && { decided_by: run.decidedBy }),
    },
    `review ${decision.toLowerCase()}: ${outcome}`,
  );
  logger.info(
    { event: 'stage_exit', stage: 'reviewer', session_id: summary?.sessionId, outcome },
    'reviewer stage: exit',
  );
}
