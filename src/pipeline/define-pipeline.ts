import type * as z from 'zod';
import { addressPrompt } from '../address/address-prompt.js';
import { ReviewLoopError } from '../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../core/event.js';
import type { Gap } from '../core/gap.js';
import type { HumanAnswer } from '../core/human.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import type { Policy } from '../core/policy.js';
import type { Ranking } from '../core/ranking.js';
import type { Review } from '../core/review.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkedWeights, type ScoreWeights } from '../core/scores.js';
import { answerRun, overrideRun } from '../engine/answer-run.js';
import type {
  AddressContext,
  Budget,
  Definition,
  HumanOptions,
  ProduceContext,
  Timeouts,
} from '../engine/definition.js';
import { eventHub } from '../engine/events.js';
import type { RequestReference, VersionReference } from '../engine/human-answers.js';
import { reviewOnce } from '../engine/review-once.js';
import { type RunOptions, startRun } from '../engine/run-pipeline.js';
import { noProgress } from '../policies/no-progress.js';
import type { AuditSink } from '../ports/audit-sink.js';
import { type Clock, systemClock } from '../ports/clock.js';
import type { LessonStore } from '../ports/lesson-store.js';
import { type Limiter, processLimiter } from '../ports/limiter.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import { memoryStore } from '../ports/memory-store.js';
import { type Random, systemRandom } from '../ports/random.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { Workspace } from '../ports/workspace.js';
import { type CriteriaMap, criteriaFrom } from '../reviewers/criterion.js';
import { checkedBudget, checkedTimeouts } from './check-bounds.js';
import { checkKinds, checkPorts } from './check-ports.js';
import { checkedVerdicts, checkReviewers } from './check-reviewers.js';
import { inherit } from './inherit-provider.js';
import { type BatchOptions, type BatchResult, runAll } from './run-all.js';
import {
  checkTrust,
  trustedIterations,
  trustedPolicy,
  trustedRanking,
  trustedReviewers,
} from './trust.js';
import type { Trust } from './trust-preset.js';

/** What a pipeline is made of. Everything but the criteria or reviewers has a default. */
export interface PipelineOptions<Task, Output> {
  /** For logs and journals. @default 'pipeline' */
  name?: string;
  /** Makes the first output. Without it there is only `review`. */
  produce?: (task: Task, context: ProduceContext) => Promise<Output>;
  /** Improves an output for the sake of its gaps; returns the whole output. Without it there is one round, and what fixers can do. */
  address?: (
    output: NoInfer<Output>,
    gaps: Gap[],
    context: AddressContext<NoInfer<Task>>,
  ) => Promise<NoInfer<Output>>;
  /** Checks by id. */
  criteria?: CriteriaMap<NoInfer<Output>, NoInfer<Task>>;
  /** Inherited by blocks that ask a model and name none. */
  provider?: LLMProvider;
  /** Any other judges. */
  reviewers?: readonly Reviewer<NoInfer<Task>, NoInfer<Output>>[];
  /** @default noProgress(thresholds()) */
  policy?: Policy;
  /** Which of two versions is better. @default keepBest() */
  ranking?: Ranking;
  /**
   * How far verdicts are to be trusted: `fast` checks findings before they are edited and has an approval confirmed, `guarded` asks a
   * person about what judges dispute, `autonomous` has every approval confirmed twice. It sets reviewers, policy, ranking and the
   * number of reviews; what is given beside it wins. docs/trust.md has what each costs.
   *
   * @default every verdict counts as it is
   */
  trust?: Trust;
  /** Who takes second looks and confirms under `trust`; best of other families than the judges. @default the judges themselves, with a warning */
  confirmWith?: LLMProvider | readonly LLMProvider[];
  /** @default three reviews, nothing else bounded */
  budget?: Budget;
  /** How long single calls may take. @default 10 minutes for produce and address, 1 minute for checks */
  timeouts?: Partial<Timeouts>;
  /** Whether models are left out once deterministic checks rule approval out. @default true */
  failFast?: boolean;
  /** Whether a verdict is reused while what its criterion's `scope` selects is equal. @default true */
  reuse?: boolean;
  /** Keeps verdicts over runs. @default none: they are reused within a run only */
  verdicts?: VerdictStore;
  /** How often a judge that failed is asked again. @default 1 */
  retries?: number;
  /** How much each score counts. @default quality 0.4, completeness 0.4, correctness 0.2 */
  weights?: ScoreWeights;
  /** @default one for the whole process, 16 calls at a time */
  limiter?: Limiter;
  /** @default memoryStore() */
  store?: Store;
  /** What `produce` and `address` write to beside their output. @default none, and no cost */
  workspace?: Workspace;
  /** @default { policy: 'auto' } */
  human?: HumanOptions;
  /** Fills `context.lessons`, and captures afterwards. @default nothing is read or written */
  learn?: LessonStore;
  /** Records what people decide; a decision that cannot be recorded does not count. @default nothing is recorded beside the journal */
  audit?: AuditSink;
  /** @default silent */
  logger?: Logger;
  /** @default the machine's */
  clock?: Clock;
  /** @default UUIDs */
  random?: Random;
  /** Infers the type of the task, and checks it. */
  task?: z.ZodType<Task>;
  /** Infers the type of the output, and checks it. */
  output?: z.ZodType<Output>;
}

/** Produces, reviews and addresses, with verdicts that can be trusted. One pipeline serves any number of runs at a time. */
export interface Pipeline<Task, Output> {
  /** Starts, or continues what is recorded under `runId`. Rejects only for misuse; every other end is an outcome. */
  readonly run: (task: Task, options?: RunOptions) => Promise<Outcome<Output>>;
  /** Answers a question of a suspended run, and goes on with it. */
  readonly answer: (
    request: RequestReference,
    answer: HumanAnswer,
    options?: RunOptions,
  ) => Promise<Outcome<Output>>;
  /** Lets through the version that an ended run holds, although nobody approved it; the outcome is `accepted`. */
  readonly override: (
    version: VersionReference,
    override: { readonly by: string; readonly reason: string },
    options?: RunOptions,
  ) => Promise<Outcome<Output>>;
  /** One review of an output that already exists. Nothing is recorded. */
  readonly review: (
    task: Task,
    output: Output,
    options?: { signal?: AbortSignal },
  ) => Promise<Review>;
  /** Runs many tasks, a bounded number at a time, and gives each outcome as it is there. */
  readonly runAll: <Item extends Task>(
    tasks: Iterable<Item> | AsyncIterable<Item>,
    options?: BatchOptions<Item>,
  ) => AsyncIterable<BatchResult<Item, Output>>;
  /** Calls back on an event of every run. A listener that throws is logged. */
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => void;
}

const optionNames = [
  ...[
    'name',
    'produce',
    'address',
    'criteria',
    'reviewers',
    'policy',
    'ranking',
    'budget',
    'timeouts',
    'failFast',
    'reuse',
    'verdicts',
    'retries',
    'weights',
  ],
  ...[
    'limiter',
    'store',
    'workspace',
    'human',
    'learn',
    'audit',
    'logger',
    'clock',
    'random',
    'task',
    'output',
    'provider',
    'trust',
    'confirmWith',
  ],
];

/**
 * Builds a pipeline; every option is checked here.
 *
 * @throws ReviewLoopError `invalid_options`, `no_reviewers`, `duplicate_id`
 * @example
 * ```ts
 * const article = definePipeline({
 *   produce: writeArticle,
 *   address: (text, gaps) => rewrite(text, gaps.map((gap) => gap.description)),
 *   criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
 * });
 * const outcome = await article.run('tea');
 * ```
 */
export function definePipeline<Task, Output>(
  options: PipelineOptions<Task, Output>,
): Pipeline<Task, Output> {
  const definition = defined(options);
  if (definition.reviewers.length === 0)
    throw new ReviewLoopError(
      'no_reviewers',
      `pipeline ${definition.name} has no criteria and no reviewers`,
    );
  return pipelineOf(definition);
}

/** The pipeline of a checked definition. */
function pipelineOf<Task, Output>(definition: Definition<Task, Output>): Pipeline<Task, Output> {
  const run: Pipeline<Task, Output>['run'] = (task, runOptions) =>
    startRun(definition, task, runOptions);
  return {
    run,
    answer: (request, answer, runOptions) => answerRun(definition, request, answer, runOptions),
    override: (version, override, runOptions) =>
      overrideRun(definition, version, override, runOptions),
    review: (task, output, runOptions) => reviewOnce(definition, task, output, runOptions?.signal),
    runAll: (tasks, batch = {}) => runAll(definition, run, tasks, batch),
    on: (event, listener) => definition.events.on(event, listener),
  };
}

/**
 * Reviews an output once, without a loop: the shortest way in.
 *
 * @example
 * ```ts
 * const review = await reviewOutput({ task: 'an article', output: text, criteria: { long: (out) => out.length > 500 || 'too short' } });
 * ```
 */
export function reviewOutput<Task, Output>(
  options: { task: Task; output: Output; signal?: AbortSignal } & Pick<
    PipelineOptions<NoInfer<Task>, NoInfer<Output>>,
    'criteria' | 'reviewers' | 'policy' | 'limiter' | 'provider' | 'verdicts'
  >,
): Promise<Review> {
  const { task, output, signal, ...rest } = options;
  return definePipeline<Task, Output>(rest as PipelineOptions<Task, Output>).review(
    task,
    output,
    signal && { signal },
  );
}

/** Options checked and with every default filled in. */
export function defined<Task, Output>(
  options: PipelineOptions<Task, Output>,
): Definition<Task, Output> {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('definePipeline', options, optionNames);
  const {
    name = 'pipeline',
    retries = 1,
    logger = silentLogger,
    limiter = processLimiter,
    store = memoryStore(),
    clock = systemClock,
    random = systemRandom,
  } = options;
  checkKinds(options);
  checkPorts(options);
  checkHuman(options.human);
  checkWhole('retries', retries, 0);
  const given = [...criteriaFrom(options.criteria ?? {}), ...(options.reviewers ?? [])];
  checkReviewers(given);
  checkProvider(options.provider);
  const { trust, confirmWith, provider } = options;
  checkTrust(trust);
  const reviewers = trustedReviewers(given, { trust, provider, confirmWith, logger });
  checkReviewers(reviewers);
  return {
    name,
    produce: options.produce,
    address: options.address && inherit(options.address, options.provider, 'address'),
    reviewers,
    policy: options.policy ?? trustedPolicy(trust, noProgress(), reviewers),
    ranking: options.ranking ?? trustedRanking(trust, reviewers),
    weights: checkedWeights(options.weights ?? {}),
    budget: checkedBudget(options.budget ?? {}, trustedIterations(trust)),
    timeouts: checkedTimeouts(options.timeouts ?? {}),
    failFast: options.failFast ?? true,
    reuse: options.reuse ?? true,
    verdicts: checkedVerdicts(options, reviewers),
    retries,
    limiter,
    store,
    workspace: options.workspace,
    clock,
    random,
    logger,
    events: eventHub(logger),
    human: options.human,
    learn: options.learn,
    audit: options.audit,
    taskSchema: options.task,
    outputSchema: options.output,
    addressPrompt,
  };
}

function checkHuman(human: HumanOptions | undefined): void {
  if (human === undefined) return;
  checkKeys('human', human, ['policy', 'notify', 'onReject', 'expiresAfterMs']);
  const { policy, notify, onReject, expiresAfterMs } = human;
  checkPositive('human.expiresAfterMs', expiresAfterMs);
  if (notify !== undefined && typeof notify !== 'function')
    throw invalid('human.notify', 'a function', notify);
  if (onReject !== undefined && !['end', 'revise'].includes(onReject))
    throw invalid('human.onReject', "'end' or 'revise'", onReject);
  if (policy !== undefined && !['auto', 'prompt', 'require'].includes(policy))
    throw invalid('human.policy', "'auto', 'prompt' or 'require'", policy);
}

function checkProvider(provider: unknown): void {
  if (provider === undefined) return;
  const known =
    typeof provider === 'object' &&
    provider !== null &&
    'generate' in provider &&
    typeof provider.generate === 'function' &&
    'id' in provider;
  if (!known)
    throw invalid('provider', 'an LLMProvider with an id and a `generate` function', provider);
}
