import { defined } from '../../blocks/pipeline/define-pipeline.js';
import { inherit, inheritReviewer } from '../../blocks/pipeline/inherit-provider.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import { copyJson } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkPlain } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { Policy } from '../../core/policy.js';
import type { Definition } from '../../engine/definition.js';
import { engineErrors } from '../../engine/errors.js';
import { escalateOver } from '../../engine/policies/escalate-over.js';
import { firstOf } from '../../engine/policies/first-of.js';
import { noProgress } from '../../engine/policies/no-progress.js';
import { thresholds } from '../../engine/policies/thresholds.js';
import { startRun } from '../../engine/run-pipeline.js';
import type { LessonStore } from '../../ports/lesson-store.js';
import { type AgentOutput, AgentOutputSchema, type AgentRequest } from './agent.js';
import { taskIdOf } from './agent-context.js';
import { agentIdOf, agentReviewers, type GivenCriteria } from './agent-reviewers.js';
import { type PartialSelfReviewConfig, type SelfReviewConfig, selfReviewConfig } from './config.js';
import { reviewDecisionOf, reviewIdOf, selfReviewResultOf } from './record.js';
import type {
  AddressGaps,
  ExecuteOptions,
  ProduceOutput,
  SelfReviewExecution,
  SelfReviewPorts,
  SelfReviewRun,
} from './self-review-options.js';
import type { SelfReviewResult } from './self-review-result.js';

/**
 * Wraps an agent in a loop: produce, review against criteria and requirements, fix the gaps,
 * repeat. One instance serves any number of concurrent requests.
 *
 * @example
 * ```ts
 * const files = criterion('files', (out: AgentOutput) => out.artifacts.length > 0 || 'none');
 * const loop = new SelfReviewLoop([files]);
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
  readonly #judge: SelfReviewPorts<Output, Request>['judgeCoverage'];

  /** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
  constructor(
    criteria: GivenCriteria<Output, Request>,
    config: PartialSelfReviewConfig = {},
    given: SelfReviewPorts<Output, Request> = {},
  ) {
    checkPlain('the ports of SelfReviewLoop', given);
    const { judgeCoverage, ...ports } = given;
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

  /** Adds a listener for an event. It hears the events of every execution. */
  on<Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]): void {
    this.#base.events.on(event, listener);
  }

  /**
   * Runs the loop for one request and returns an execution with an output.
   *
   * @throws ReviewLoopError For misuse, and the error of the outcome if it has no output
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
      throw outcome.error ?? new ReviewLoopError(engineErrors.produce_failed, outcome.reason);
    return { output, reviews, outcome };
  }

  /**
   * Runs the loop for one request. A run without an output has an outcome, too.
   *
   * @throws ReviewLoopError For misuse only
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
    const address = addressGaps && inherit(addressGaps, this.#provider, 'addressGaps');
    const definition: Definition<Request, Output> = {
      ...this.#base,
      ...this.#settings(config, own?.maxIterations ?? this.#given.maxIterations),
      limiter,
      learn: learn && lessonsOver(learn, config),
      produce: async (_, context) => unreviewed(await produceOutput(context)),
      address: address && (this.#trust?.address(address) ?? address),
    };
    const outcome = await startRun(definition, request, runOptions);
    const reviews = outcome.reviews.map((review) => this.#resultOf(outcome, request, review));
    const output =
      outcome.output === undefined
        ? undefined
        : annotated(outcome.output, outcome, reviews, definition.budget.reviews);
    return { output, reviews, outcome };
  }

  /** @param iterations - The explicit limit of reviews, which takes precedence over `trust`. */
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
    const inherited = given.map((reviewer) => inheritReviewer(reviewer, this.#provider));
    const ports = { confirmWith: this.#confirmWith, logger: this.#base.logger };
    return this.#trust?.reviewers(inherited, ports) ?? inherited;
  }

  #resultOf(
    { runId, reviews, review: returned }: Outcome<Output>,
    request: Request,
    review: Outcome<Output>['reviews'][number],
  ): SelfReviewResult {
    return selfReviewResultOf(review, {
      reviewId: reviewIdOf(runId, review.iteration),
      taskId: taskIdOf(request),
      agentId: this.#agentId,
      left: review === returned || review === reviews.at(-1),
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

const ownNotes = /^(Self-review |Max review iterations )/;

/**
 * A copy of an `AgentOutput` also contains its review. If it is neither approved nor accepted, a
 * routing hint says that a person must decide.
 */
export function annotated<Output>(
  output: Output,
  outcome: Outcome<Output>,
  reviews: readonly SelfReviewResult[],
  maxIterations: number,
): Output {
  const copy = copyJson(output, { freeze: false });
  if (!isAgentOutput(copy)) return copy;
  const place = outcome.review === undefined ? -1 : outcome.reviews.indexOf(outcome.review);
  const review = reviews[place];
  if (review !== undefined) {
    copy.selfReviewResult = review;
    copy.qualityScore = review.overallScore;
  }
  const hints = hintsOf(copy, outcome, review, maxIterations);
  if (hints === undefined) delete copy.routingHints;
  else copy.routingHints = hints;
  return copy;
}

/**
 * Judges must not read the review of an earlier run, and the review of this run takes its place.
 */
function unreviewed<Output>(output: Output): Output {
  if (!isAgentOutput(output)) return output;
  const { selfReviewResult: _, qualityScore: _score, ...own } = output as AgentOutput;
  return own as Output;
}

function hintsOf(
  output: AgentOutput,
  outcome: Outcome<unknown>,
  review: SelfReviewResult | undefined,
  maxIterations: number,
): AgentOutput['routingHints'] {
  const { needsApproval, notes, ...others } = output.routingHints ?? {};
  if (outcome.approved || outcome.status === 'accepted') {
    if (notes !== undefined && ownNotes.test(notes))
      return Object.keys(others).length > 0 ? others : undefined;
    return output.routingHints;
  }
  return { ...others, needsApproval: true, notes: noteOf(outcome, review, maxIterations) };
}

function noteOf(
  outcome: Outcome<unknown>,
  review: SelfReviewResult | undefined,
  maxIterations: number,
): string {
  if (outcome.status === 'escalated') return `Self-review escalation: ${outcome.reason}`;
  if (outcome.code === 'iterations')
    return `Max review iterations (${maxIterations}) reached. Final score: ${review?.overallScore ?? 'unknown'}`;
  return `Self-review ${outcome.status}: ${outcome.reason}`;
}

function isAgentOutput(output: unknown): output is AgentOutput {
  return AgentOutputSchema.safeParse(output).success;
}

/**
 * Returns the policy of self-review. It escalates over its limits, approves at the thresholds, and
 * otherwise revises while versions improve.
 */
export function selfReviewPolicy(config: SelfReviewConfig): Policy {
  const checked = selfReviewConfig(config);
  const {
    escalateOnCriticalGaps,
    maxCriticalGapsBeforeEscalate: critical,
    escalateCritical,
  } = checked;
  return firstOf(
    escalateOver({
      critical: escalateOnCriticalGaps ? critical : undefined,
      fromIteration: escalateCritical === 'immediate' ? 1 : 2,
    }),
    escalateOver({
      score: checked.qualityThreshold * 0.7,
      fromIteration: checked.escalateAfterIterations,
    }),
    noProgress(
      thresholds({
        quality: checked.qualityThreshold,
        completeness: checked.completenessThreshold,
      }),
    ),
  );
}
