import { ReviewLoopError } from '../../core/errors.js';
import { checkPlain, invalid } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { Policy } from '../../core/policy.js';
import { keepBest } from '../../core/ranking.js';
import type { Review } from '../../core/review.js';
import type { Reviewer } from '../../core/reviewer.js';
import { checkedWeights } from '../../core/scores.js';
import type { AddressPrompt, Definition, Timeouts } from '../../engine/definition.js';
import { eventHub } from '../../engine/events.js';
import { noProgress } from '../../engine/policies/no-progress.js';
import type { RunOptions } from '../../engine/run-options.js';
import { startRun } from '../../engine/run-pipeline.js';
import type { RunStream } from '../../engine/run-stream.js';
import { systemClock } from '../../ports/clock.js';
import { processLimiter } from '../../ports/limiter.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import { memoryStore } from '../../ports/memory-store.js';
import { systemRandom } from '../../ports/random.js';
import { criteriaFrom } from '../reviewers/criterion.js';
import { checkedVerdicts, checkOptions, checkReviewers } from './check-options.js';
import { inherit, inheritReviewer, ownedReviewer } from './inherit-provider.js';
import { checkMisnomers, type Pipeline, type PipelineOptions } from './pipeline-options.js';
import type { Trust } from './trust-presets.js';

/** Starts or continues the run at once; the stream of its events is loaded on first use. */
function streamed<Output>(
  run: (options: RunOptions) => Promise<Outcome<Output>>,
  options: RunOptions | undefined,
): RunStream<Output> {
  const loading = import('../../engine/run-stream.js').then(
    ({ EventStream }) => new EventStream<Output>(run, options),
  );
  const stream: RunStream<Output> = {
    next: async () => (await loading).next(),
    return: async () => (await loading).return(),
    get outcome() {
      return loading.then((loaded) => loaded.outcome);
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}

/**
 * Creates a pipeline from its options, and checks every option.
 *
 * @throws ReviewLoopError `invalid_options`, `no_reviewers`, `duplicate_id`, `provider_missing`
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
      `${definition.name} has no criteria and no reviewers`,
    );
  return pipelineOf(definition);
}

function pipelineOf<Task, Output>(definition: Definition<Task, Output>): Pipeline<Task, Output> {
  const { workspace, limiter } = definition;
  const pipeline: Pipeline<Task, Output> = {
    name: definition.name,
    run: (task, runOptions) => startRun(definition, task, runOptions),
    stream: (task, runOptions) => streamed((own) => pipeline.run(task, own), runOptions),
    streamAnswer: (request, answer, runOptions) =>
      streamed((own) => pipeline.answer(request, answer, own), runOptions),
    streamDecide: (version, decision, runOptions) =>
      streamed((own) => pipeline.decide(version, decision, own), runOptions),
    resume: async (runId, runOptions) =>
      (await loadAnswers()).resumeRun(definition, runId, runOptions),
    answer: async (request, answer, runOptions) =>
      (await loadAnswers()).answerRun(definition, request, answer, runOptions),
    decide: async (version, decision, runOptions) =>
      (await loadAnswers()).decideRun(definition, version, decision, runOptions),
    override: async (version, override, runOptions) =>
      (await loadAnswers()).overrideRun(definition, version, override, runOptions),
    hasWorkspace: workspace !== undefined,
    concurrency: workspace === undefined ? Math.min(64, limiter.concurrency) : 1,
    review: async (task, output, runOptions) => {
      const { reviewOnce } = await import('../../engine/review-once.js');
      return reviewOnce(definition, task, output, runOptions?.signal);
    },
    on: (event, listener) => definition.events.on(event, listener),
  };
  return pipeline;
}

/** Loaded on first use: most runs end in the call that started them. */
function loadAnswers(): Promise<typeof import('../../engine/answer-run.js')> {
  return import('../../engine/answer-run.js');
}

/**
 * Reviews an existing output once, without a loop.
 *
 * @throws ReviewLoopError the codes of `definePipeline`
 *
 * @example
 * ```ts
 * const review = await reviewOutput({
 *   task: 'an article',
 *   output: text,
 *   criteria: { long: (out) => out.length > 500 || 'too short' },
 * });
 * ```
 */
export function reviewOutput<Task, Output>(
  options: { task: Task; output: Output; signal?: AbortSignal } & Pick<
    PipelineOptions<NoInfer<Task>, NoInfer<Output>>,
    'criteria' | 'reviewers' | 'policy' | 'limiter' | 'provider' | 'verdicts'
  >,
): Promise<Review> {
  checkPlain('reviewOutput', options);
  const { task, output, signal, ...rest } = options;
  return definePipeline<Task, Output>(rest as PipelineOptions<Task, Output>).review(
    task,
    output,
    signal && { signal },
  );
}

export function defined<Task, Output>(
  options: PipelineOptions<Task, Output>,
): Definition<Task, Output> {
  checkMisnomers(options);
  checkOptions(options);
  const {
    name = 'pipeline',
    onChange = 'continue',
    retries = 1,
    logger = silentLogger,
    limiter = processLimiter,
    store = memoryStore(),
    clock = systemClock,
    random = systemRandom,
  } = options;
  const reviewers = reviewersOf(options, logger);
  const { trust } = options;
  const guarded = trust?.address ?? ((given) => given);
  const verdicts = checkedVerdicts(options, reviewers);
  return {
    name,
    version: options.version,
    onChange,
    produce: options.produce,
    address: options.address && guarded(inherit(options.address, options.provider, 'address')),
    reviewers,
    policy: options.policy ?? underTrust(trust, reviewers),
    ranking: options.ranking ?? trust?.ranking(reviewers) ?? keepBest(),
    weights: checkedWeights(options.weights ?? {}),
    budget: { ...options.budget, reviews: options.budget?.reviews ?? trust?.reviews ?? 3 },
    timeouts: timeoutsOf(options.timeouts ?? {}),
    failFast: options.failFast ?? true,
    reuse: options.reuse ?? true,
    verdicts,
    decisions: options.decisions ?? verdicts,
    allowEmpty: options.allowEmpty ?? false,
    retries,
    limiter,
    store,
    workspace: options.workspace,
    clock,
    random,
    logger,
    events: eventHub(logger),
    around: options.around,
    human: options.human && { ...options.human },
    learn: options.learn,
    audit: options.audit,
    taskSchema: options.task,
    outputSchema: options.output,
    loadAddressPrompt,
  };
}

function reviewersOf<Task, Output>(
  options: PipelineOptions<Task, Output>,
  logger: Logger,
): readonly Reviewer<Task, Output>[] {
  const { criteria = {}, reviewers: others = [], trust, confirmWith, provider } = options;
  const given = [...criteriaFrom(criteria), ...others];
  checkReviewers(given);
  if (trust === undefined && confirmWith !== undefined)
    throw invalid('confirmWith', 'left out without `trust`', confirmWith);
  const inherited = given.map((reviewer) => inheritReviewer(reviewer, provider));
  const reviewers = trust?.reviewers(inherited, { confirmWith, logger }) ?? inherited;
  checkReviewers(reviewers);
  return Object.freeze(reviewers.map(ownedReviewer));
}

function timeoutsOf({
  produceMs = 600_000,
  checkMs = 60_000,
  addressMs = 600_000,
  reviewMs,
  iterationMs,
  workspaceMs = 600_000,
}: Partial<Timeouts>): Timeouts {
  return { produceMs, checkMs, addressMs, reviewMs, iterationMs, workspaceMs };
}

function underTrust(
  trust: Trust | undefined,
  reviewers: readonly Reviewer<never, never>[],
): Policy {
  return trust?.policy(undefined, reviewers) ?? noProgress();
}

let prompts: typeof import('../address/address-prompt.js') | undefined;

const loadAddressPrompt = ():
  | AddressPrompt<unknown, unknown>
  | Promise<AddressPrompt<unknown, unknown>> =>
  prompts?.addressPrompt ??
  import('../address/address-prompt.js').then((loaded) => {
    prompts = loaded;
    return loaded.addressPrompt;
  });
