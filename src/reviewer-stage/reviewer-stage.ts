import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../core/event.js';
import type { HumanAnswer } from '../core/human.js';
import type { Outcome } from '../core/outcome.js';
import { answerRun, overrideRun } from '../engine/answer-run.js';
import type { Definition } from '../engine/definition.js';
import type { RequestReference, VersionReference } from '../engine/human-answers.js';
import { type RunOptions, startRun } from '../engine/run-pipeline.js';
import { defined } from '../pipeline/define-pipeline.js';
import { noProgress } from '../policies/no-progress.js';
import { redactJsonAsync } from '../redact/redact-json-async.js';
import { checkedWork } from './checked-work.js';
import { type CompletedWork, CompletedWorkSchema } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { fromDimension } from './from-dimension.js';
import { levelAtLeast } from './level-at-least.js';
import { reviewDepth } from './review-depth.js';
import { dimensionsOf, stageDimensionsOf } from './stage-dimension.js';
import { stageFeedbackOf } from './stage-feedback.js';
import { logCycle, logDecision, logLifecycle } from './stage-log.js';
import { checkedStage, type ReviewerStageOptions, type StageSettings } from './stage-options.js';
import type { StageDecision, StageOutcome } from './stage-outcome.js';
import { type StageResult, stageErrorCode, stageExitCode, stageOutcomeOf } from './stage-result.js';
import { type StageSummary, SummaryGenerator } from './summary-generator.js';
import { verificationReviewer } from './verification-reviewer.js';

/** A stage of an orchestrator: entered with work, executed, left with a result (seed 003's IStage). */
export interface OrchestratorStage<Input, Result> {
  /** Takes the input in, checked and complete. */
  readonly onEnter: (input: Input) => Promise<Input>;
  /** Does the work of the stage. */
  readonly execute: (input: Input, options?: RunOptions) => Promise<Result>;
  /** Reports the result. */
  readonly onExit: (result: Result) => Promise<Result>;
}

/** What a stage's run was started for. */
interface StageTask {
  readonly sessionId: string;
  readonly request: string;
}

/**
 * Seed 003's final gate: finished work is judged as a whole, over its dimensions; a person is asked where the policy wants
 * it; rejected work goes back with feedback, in cycles that are counted where there is a planner.
 *
 * @example
 * ```ts
 * const stage = new ReviewerStage({ provider, humanReview: 'prompt' });
 * const { decision, feedback, summary } = await stage.review(work);
 * ```
 */
export class ReviewerStage implements OrchestratorStage<CompletedWork, StageResult> {
  readonly #settings: StageSettings;
  readonly #base: Definition<StageTask, CompletedWork>;

  /** @throws ReviewLoopError `invalid_options`, `no_reviewers`, `duplicate_id`, `provider_missing` */
  constructor(options: ReviewerStageOptions) {
    const settings = checkedStage(options);
    this.#settings = settings;
    const {
      dimensions,
      thresholds,
      minQuality,
      maxCycles,
      replan,
      timeoutSeconds,
      humanReview,
      onDecline,
      notify,
      expiresAfterMs,
      ports,
    } = settings;
    const depth = reviewDepth(settings);
    this.#base = defined<StageTask, CompletedWork>({
      ...ports,
      name: 'reviewer-stage',
      output: CompletedWorkSchema,
      failFast: false,
      reviewers: [
        verificationReviewer(),
        ...dimensions.map((dimension) =>
          fromDimension(dimension, { threshold: thresholds[dimension.id] ?? minQuality, depth }),
        ),
      ],
      policy: noProgress(levelAtLeast(minQuality, thresholds)),
      // without a planner a second review could not be: the first rejection ends it as such, and not as out of rounds
      budget: { reviews: replan === undefined ? 2 : maxCycles + 1 },
      timeouts: { checkMs: timeoutSeconds * 1000, reviewMs: timeoutSeconds * 1000 },
      human: {
        policy: humanReview,
        onReject: onDecline === 'replan' ? 'revise' : 'end',
        ...(notify && { notify }),
        ...(expiresAfterMs !== undefined && { expiresAfterMs }),
      },
      ...(replan && {
        address: async (work, gaps, context) => {
          const { iteration: cycle, note, signal } = context;
          const feedback = stageFeedbackOf(gaps, {
            reason: `${gaps.length} ${gaps.length === 1 ? 'issue needs' : 'issues need'} to be addressed`,
            cycle,
            note,
          });
          settings.logger.info(
            { event: 'replan', session_id: work.sessionId, cycle, issues: feedback.issues.length },
            'the work goes back to the planner',
          );
          return replan(feedback, {
            work,
            cycle,
            signal,
            step: context.step,
            reportUsage: context.reportUsage,
          });
        },
      }),
    });
    this.on('review-end', ({ review }) =>
      logCycle(settings.logger, review, dimensionsOf(dimensions, review)),
    );
  }

  /** The dimensions that are assessed. */
  get dimensions(): readonly Dimension[] {
    return this.#settings.dimensions;
  }

  /** Calls back on events of every review; `reviewer-start` and `reviewer-end` tell the progress. */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#base.events.on(event, listener);
  }

  /**
   * Checks the work before it is reviewed.
   *
   * @throws ReviewLoopError `task_invalid`
   */
  async onEnter(work: CompletedWork): Promise<CompletedWork> {
    const entered = checkedWork(work);
    logLifecycle(this.#settings.logger, 'enter', entered);
    return entered;
  }

  /**
   * Reviews the work; goes on with the review of the same `runId`.
   *
   * @throws ReviewLoopError For misuse only, as `task_invalid`; every other end is a result.
   */
  async execute(given: CompletedWork, options?: RunOptions): Promise<StageResult> {
    const work = checkedWork(given);
    logLifecycle(this.#settings.logger, 'execute', work);
    const startedAt = this.#base.clock.now();
    const { sessionId, request } = work;
    return this.#resultOf(
      await startRun({ ...this.#base, produce: async () => work }, { sessionId, request }, options),
      work,
      startedAt,
    );
  }

  /** Reports the decision. */
  async onExit(result: StageResult): Promise<StageResult> {
    logDecision(this.#settings.logger, result, this.#settings.humanReview !== 'auto');
    return result;
  }

  /**
   * Enters, executes and leaves: one review of finished work, or as many as the planner needs.
   *
   * @throws ReviewLoopError For misuse only; every other end is a result.
   */
  async review(work: CompletedWork, options?: RunOptions): Promise<StageResult> {
    return this.onExit(await this.execute(await this.onEnter(work), options));
  }

  /** Answers a person's question, and goes on with the review; in any process that has the same store. */
  async answer(
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ): Promise<StageResult> {
    const startedAt = this.#base.clock.now();
    return this.onExit(
      await this.#resultOf(
        await answerRun({ ...this.#base, produce: unrecorded }, request, answer, options),
        undefined,
        startedAt,
      ),
    );
  }

  /** Lets rejected, escalated or timed out work through, with who and why; the decision of the reviewers stays beside it. */
  async override(
    version: VersionReference,
    given: { readonly by: string; readonly reason: string },
    options?: RunOptions,
  ): Promise<StageResult> {
    const startedAt = this.#base.clock.now();
    return this.onExit(
      await this.#resultOf(
        await overrideRun({ ...this.#base, produce: unrecorded }, version, given, options),
        undefined,
        startedAt,
      ),
    );
  }

  async #resultOf(
    run: Outcome<CompletedWork>,
    given: CompletedWork | undefined,
    startedAt: number,
  ): Promise<StageResult> {
    const work = run.output ?? given;
    const outcome = stageOutcomeOf(run);
    const dimensions = stageDimensionsOf(this.dimensions, run);
    const last = run.reviews.at(-1);
    const cycles = Math.max(0, run.reviews.length - 1);
    const decision = decisionOf(run, outcome);
    const reasoning = reasonOf(run);
    const facts = { decision, outcome, reasoning, cycles };
    const { summary, failed } = await this.#summaryOf(run, work, { facts, dimensions, startedAt });
    const rejected = decision === 'REJECTED' && last !== undefined;
    return {
      ...facts,
      dimensions,
      summary,
      feedback: rejected
        ? stageFeedbackOf(last.gaps, { reason: reasoning, cycle: cycles + 1 })
        : undefined,
      code: stageErrorCode(run, outcome) ?? (failed ? 'ACODE-REVIEW-005' : undefined),
      exitCode: stageExitCode(outcome),
      run,
    };
  }

  /** A summary that cannot be made or kept is logged, and costs the result nothing else. */
  async #summaryOf(
    run: Outcome<CompletedWork>,
    work: CompletedWork | undefined,
    about: Summarised,
  ): Promise<{ readonly summary: StageSummary | undefined; readonly failed: boolean }> {
    const { summaryGenerator = new SummaryGenerator(), saveSummary, logger } = this.#settings;
    if (work === undefined) return { summary: undefined, failed: false };
    let summary: StageSummary | undefined;
    try {
      const now = this.#base.clock.now();
      const generated = summaryGenerator.generate(
        work,
        {
          ...about.facts,
          runId: run.runId,
          completedAt: new Date(now).toISOString(),
          // a review that is answered later is read from its record, in no time
          durationMs: Math.max(
            now - about.startedAt,
            run.reviews.reduce((sum, review) => sum + review.durationMs, 0),
          ),
          decidedBy: run.decidedBy ?? 'the reviewers',
          cycleTriggers: run.reviews
            .slice(0, -1)
            .map((review) => failing(dimensionsOf(this.dimensions, review))),
          usage: run.usage.review,
          overrideReason:
            run.status === 'accepted' && run.acceptance.kind === 'override'
              ? run.acceptance.reason
              : undefined,
        },
        about.dimensions,
      );
      summary = await redactJsonAsync(generated);
      await saveSummary?.(summary);
      return { summary, failed: false };
    } catch (error) {
      logger.error(
        {
          event: 'summary_failed',
          run: run.runId,
          code: isReviewError(error) ? error.code : undefined,
          error: messageOf(error),
        },
        'the summary could not be generated or kept',
      );
      return { summary, failed: true };
    }
  }
}

interface Summarised {
  readonly facts: {
    readonly decision: StageDecision;
    readonly outcome: StageOutcome;
    readonly reasoning: string;
    readonly cycles: number;
  };
  readonly dimensions: StageResult['dimensions'];
  readonly startedAt: number;
}

/** The reviewers' decision; a person who declines turns it into a rejection, one who overrides does not turn it. */
function decisionOf(run: Outcome<CompletedWork>, outcome: StageOutcome): StageDecision {
  const approved = run.reviews.at(-1)?.decision.kind === 'approve' && outcome !== 'declined';
  return approved ? 'APPROVED' : 'REJECTED';
}

/** Why; that there is no planner is no reason. */
function reasonOf({ code, reason, reviews }: Outcome<CompletedWork>): string {
  return code === 'no_address' ? (reviews.at(-1)?.decision.reason ?? reason) : reason;
}

function failing(dimensions: StageResult['dimensions']): string[] {
  return dimensions.filter(({ passed }) => !passed).map(({ id }) => id);
}

async function unrecorded(): Promise<never> {
  throw new ReviewLoopError('run_unknown', 'the record of this review does not hold the work');
}
