import { ReviewLoopError } from '../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../core/event.js';
import type { Gap } from '../core/gap.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Outcome } from '../core/outcome.js';
import type { Policy } from '../core/policy.js';
import type { AddressContext, Definition, ProduceContext } from '../engine/definition.js';
import { type RunOptions, startRun } from '../engine/run-pipeline.js';
import { defined } from '../pipeline/define-pipeline.js';
import { inherit } from '../pipeline/inherit-provider.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import { escalateOver } from '../policies/escalate-over.js';
import { firstOf } from '../policies/first-of.js';
import { noProgress } from '../policies/no-progress.js';
import { thresholds } from '../policies/thresholds.js';
import type { LessonStore } from '../ports/lesson-store.js';
import type { Limiter } from '../ports/limiter.js';
import type { CoverageModel } from '../reviewers/model-coverage.js';
import type { CoverageJudge } from '../reviewers/requirement-coverage.js';
import type { AgentOutput, AgentRequest } from './agent.js';
import { taskIdOf } from './agent-context.js';
import { agentIdOf, agentReviewers, type GivenCriteria } from './agent-reviewers.js';
import { annotated } from './annotate-output.js';
import { type PartialSelfReviewConfig, type SelfReviewConfig, selfReviewConfig } from './config.js';
import { reviewDecisionOf, reviewIdOf, selfReviewResultOf } from './record.js';
import type { SelfReviewResult } from './self-review-result.js';

/** What a {@link SelfReviewLoop} takes beside criteria and configuration. */
export type SelfReviewPorts<Output, Request> = Pick<
  PipelineOptions<Request, Output>,
  | 'store'
  | 'verdicts'
  | 'workspace'
  | 'limiter'
  | 'logger'
  | 'clock'
  | 'random'
  | 'learn'
  | 'weights'
  | 'budget'
  | 'timeouts'
  | 'provider'
  | 'trust'
  | 'confirmWith'
> & {
  /** Asked about requirements of which the evidence shows neither. @default nobody: what is unsure is not covered */
  readonly judgeCoverage?: CoverageJudge<Output, Request> | CoverageModel | undefined;
};

/** How one execution differs from the loop's settings. */
export interface ExecuteOptions extends RunOptions {
  /** Over the configuration of the loop, for this task. */
  readonly config?: PartialSelfReviewConfig | undefined;
  readonly learn?: LessonStore | undefined;
  readonly limiter?: Limiter | undefined;
}

/** What a run gives. */
export interface SelfReviewRun<Output> {
  /** The output that the outcome holds; an `AgentOutput` carries its review and routing hints (a copy, as in seed 004). */
  readonly output: Output | undefined;
  readonly reviews: SelfReviewResult[];
  /** Keeps the verdict: only `outcome.approved` was approved. */
  readonly outcome: Outcome<Output>;
}

/** A {@link SelfReviewRun} that has an output. */
export interface SelfReviewExecution<Output> extends SelfReviewRun<Output> {
  readonly output: Output;
}

/** Makes the first output. */
export type ProduceOutput<Output> = (context: ProduceContext) => Promise<Output>;

/** Improves an output for the sake of its gaps; returns the whole output. */
export type AddressGaps<Output, Request> = (
  output: Output,
  gaps: Gap[],
  context: AddressContext<Request>,
) => Promise<Output>;

/**
 * Seed 004's loop: produce, review against criteria and requirements, address the gaps, review again. One instance serves
 * any number of requests at a time.
 *
 * @example
 * ```ts
 * const loop = new SelfReviewLoop([criterion('files', (out: AgentOutput) => out.artifacts.length > 0 || 'none')]);
 * const { output, outcome } = await loop.execute(agentRequest('a login page'), produce, address);
 * ```
 */
export class SelfReviewLoop<Output = AgentOutput, Request = AgentRequest> {
  readonly config: SelfReviewConfig;
  readonly #given: PartialSelfReviewConfig;
  readonly #criteria: GivenCriteria<Output, Request>;
  readonly #agentId: string;
  readonly #base: Definition<Request, Output>;
  readonly #provider: LLMProvider | undefined;
  readonly #trust: SelfReviewPorts<Output, Request>['trust'];
  readonly #confirmWith: SelfReviewPorts<Output, Request>['confirmWith'];
  readonly #judge: CoverageJudge<Output, Request> | CoverageModel | undefined;

  /** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
  constructor(
    criteria: GivenCriteria<Output, Request>,
    config: PartialSelfReviewConfig = {},
    { judgeCoverage, ...ports }: SelfReviewPorts<Output, Request> = {},
  ) {
    this.#given = config;
    this.config = selfReviewConfig(config);
    this.#criteria = criteria;
    this.#agentId = agentIdOf(criteria);
    this.#provider = ports.provider;
    this.#trust = ports.trust;
    this.#confirmWith = ports.confirmWith;
    this.#judge = judgeCoverage;
    this.#base = defined<Request, Output>({
      ...ports,
      name: this.#agentId,
      failFast: false,
      reviewers: agentReviewers(criteria, this.config.completenessThreshold, judgeCoverage),
    });
    this.#logReviews();
  }

  /** Calls back on events of every execution. */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#base.events.on(event, listener);
  }

  /**
   * Runs the loop for one request (seed 004).
   *
   * @throws ReviewLoopError For misuse, and the error behind the outcome when there is no output at all.
   */
  async execute(
    request: Request,
    produceOutput: ProduceOutput<Output>,
    addressGaps?: AddressGaps<Output, Request>,
    options?: ExecuteOptions,
  ): Promise<SelfReviewExecution<Output>> {
    const { output, reviews, outcome } = await this.run(
      request,
      produceOutput,
      addressGaps,
      options,
    );
    if (output === undefined)
      throw outcome.error ?? new ReviewLoopError('produce_failed', outcome.reason);
    return { output, reviews, outcome };
  }

  /**
   * Runs the loop for one request, and tells also a run without any output as an outcome.
   *
   * @throws ReviewLoopError For misuse only.
   */
  async run(
    request: Request,
    produceOutput: ProduceOutput<Output>,
    addressGaps?: AddressGaps<Output, Request>,
    options: ExecuteOptions = {},
  ): Promise<SelfReviewRun<Output>> {
    const {
      config: own,
      learn = this.#base.learn,
      limiter = this.#base.limiter,
      ...runOptions
    } = options;
    const config = own === undefined ? this.config : selfReviewConfig(this.#given, own);
    const definition: Definition<Request, Output> = {
      ...this.#base,
      ...this.#settings(config, own?.maxIterations ?? this.#given.maxIterations),
      limiter,
      learn: learn && lessonsOver(learn, config),
      produce: (_, context) => produceOutput(context),
      address: addressGaps && inherit(addressGaps, this.#provider, 'addressGaps'),
    };
    const outcome = await startRun(definition, request, runOptions);
    const reviews = outcome.reviews.map((review) => this.#resultOf(outcome.runId, request, review));
    const output =
      outcome.output === undefined
        ? undefined
        : annotated(outcome.output, outcome, reviews, definition.budget.reviews);
    return { output, reviews, outcome };
  }

  /** @param iterations - Where they are given; they win over those of `trust`. */
  #settings(
    config: SelfReviewConfig,
    iterations: number | undefined,
  ): Pick<Definition<Request, Output>, 'policy' | 'budget' | 'timeouts' | 'reuse' | 'reviewers'> {
    const same = config.completenessThreshold === this.config.completenessThreshold;
    const reviewers = same
      ? this.#base.reviewers
      : this.#reviewersFor(config.completenessThreshold);
    const policy = selfReviewPolicy(config);
    return {
      reviewers: config.enabled ? reviewers : [],
      policy: this.#trust?.policy(policy, reviewers) ?? policy,
      budget: {
        ...this.#base.budget,
        reviews: iterations ?? this.#trust?.reviews ?? config.maxIterations,
      },
      timeouts: { ...this.#base.timeouts, iterationMs: config.timeoutPerIterationMs },
      reuse: config.cacheReviewResults,
    };
  }

  #reviewersFor(completenessThreshold: number): Definition<Request, Output>['reviewers'] {
    const given = agentReviewers(this.#criteria, completenessThreshold, this.#judge);
    const inherited = given.map((reviewer) => inherit(reviewer, this.#provider, reviewer.id));
    const ports = { confirmWith: this.#confirmWith, logger: this.#base.logger };
    return this.#trust?.reviewers(inherited, ports) ?? inherited;
  }

  #resultOf(
    runId: string,
    request: Request,
    review: Outcome<Output>['reviews'][number],
  ): SelfReviewResult {
    return selfReviewResultOf(review, {
      reviewId: reviewIdOf(runId, review.iteration),
      taskId: taskIdOf(request),
      agentId: this.#agentId,
    });
  }

  #logReviews(): void {
    const { events, logger } = this.#base;
    events.on('review-end', ({ runId, review }) => {
      const fields = {
        runId,
        agentId: this.#agentId,
        qualityScore: review.scores.overall,
        gapCount: review.gaps.length,
        decision: reviewDecisionOf(review),
      };
      logger.info(fields, `Self-review iteration ${review.iteration}`);
    });
  }
}

/** Seed 004's rules as a policy: escalate when it is bad enough, approve at the thresholds, else revise while it helps. */
export function selfReviewPolicy(config: SelfReviewConfig): Policy {
  const {
    escalateOnCriticalGaps,
    maxCriticalGapsBeforeEscalate: critical,
    escalateCritical,
  } = config;
  return firstOf(
    escalateOver({
      critical: escalateOnCriticalGaps ? critical : undefined,
      fromIteration: escalateCritical === 'immediate' ? 1 : 2,
    }),
    escalateOver({
      score: config.qualityThreshold * 0.7,
      fromIteration: config.escalateAfterIterations,
    }),
    noProgress(
      thresholds({ quality: config.qualityThreshold, completeness: config.completenessThreshold }),
    ),
  );
}

function lessonsOver(learn: LessonStore, config: SelfReviewConfig): LessonStore {
  const worthIt = (outcome: Outcome<unknown>): boolean =>
    new Set(outcome.reviews.flatMap((review) => review.gaps.map((gap) => gap.id))).size >=
    config.learningThresholdGaps;
  return {
    relevantTo: (task) => learn.relevantTo(task),
    capture: async (run) => {
      if (config.captureForLearning && worthIt(run.outcome)) await learn.capture?.(run);
    },
  };
}
