import { addressWithModel } from '../../blocks/address/address-with-model.js';
import { type MergeOptions, mergeOutput } from '../../blocks/address/merge-output.js';
import type { Trust } from '../../blocks/pipeline/trust-presets.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkChoice, checkKeys } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { AddressContext, ProduceContext } from '../../engine/definition.js';
import { engineErrors } from '../../engine/errors.js';
import type { RunOptions } from '../../engine/run-options.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import { memoryStore } from '../../ports/memory-store.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
import type { Workspace } from '../../ports/workspace.js';
import { type AgentOutput, AgentOutputSchema, type AgentRequest } from './agent.js';
import { taskIdOf } from './agent-context.js';
import { type PartialSelfReviewConfig, selfReviewConfig } from './config.js';
import type { AgentReviewCriteria } from './review-criterion.js';
import { SelfReviewLoop } from './self-review-loop.js';
import type { ExecuteOptions, SelfReviewRun } from './self-review-options.js';
import type { SelfReviewResult } from './self-review-result.js';

/**
 * Base class for agents that review their own output. A subclass implements `produce` and
 * `getReviewCriteria`. To fix gaps, it sets `provider`, or it overrides `callLLMForImprovements` or
 * `addressGaps`.
 *
 * @example
 * ```ts
 * class Sql extends BaseAgent<{ sql: string }, string> {
 *   protected getReviewCriteria() { return new SqlCriteria(); }
 *   protected async produce(request: string) { return { sql: await write(request) }; }
 * }
 * const outcome = await new Sql().run('all users');
 * ```
 */
export abstract class BaseAgent<Output = AgentOutput, Request = AgentRequest> {
  /** The id in records and logs. @default the name of the class */
  metadata: { id: string } = { id: this.constructor.name };
  protected readonly logger: Logger = silentLogger;
  /** The default model for improvements and for criteria that need one. @default undefined */
  protected readonly provider: LLMProvider | undefined = undefined;
  /** Caches verdicts across runs while `cacheReviewResults` is true. @default undefined */
  protected readonly verdicts: VerdictStore | undefined = undefined;
  /**
   * The trust preset, as in a pipeline. Without one, one verdict counts.
   *
   * @default undefined
   */
  protected readonly trust: Trust | undefined = undefined;
  /**
   * The models that take turns with the judges under `trust`. Without them, one model judges,
   * and one pass is enough, with a warning.
   *
   * @default undefined
   */
  protected readonly confirmWith: LLMProvider | readonly LLMProvider[] | undefined = undefined;
  /**
   * The folder that `produce` and `addressGaps` write to. Its files are part of each version.
   *
   * @default undefined
   */
  protected readonly workspace: Workspace | undefined = undefined;
  readonly #store = memoryStore();

  /** Produces the first output. */
  protected abstract produce(request: Request, context: ProduceContext): Promise<Output>;

  /** Returns the criteria for the output. */
  protected abstract getReviewCriteria(): AgentReviewCriteria<Output, Request>;

  /** Returns changes to the defaults of `SelfReviewConfigSchema`. */
  protected getSelfReviewConfig(): PartialSelfReviewConfig {
    return {};
  }

  /**
   * Fixes the gaps of an output. The default calls `callLLMForImprovements` with `context.prompt`
   * and merges the answer into an `AgentOutput`; it replaces any other output. If `provider` is set
   * and nothing is overridden, the provider returns edits.
   */
  protected async addressGaps(
    _request: Request,
    output: Output,
    gaps: Gap[],
    context: AddressContext<Request>,
  ): Promise<Output> {
    const { provider } = this;
    if (provider !== undefined && !this.#asksItself)
      return addressWithModel({ provider })(output, gaps, context);
    const improvements = await this.callLLMForImprovements(context.prompt);
    const current = AgentOutputSchema.safeParse(output);
    if (!current.success) return improvements;
    return mergeImprovements(output as AgentOutput, improvements as AgentOutput) as Output;
  }

  /**
   * Asks a model for improvements; override it. If a class neither overrides it nor sets
   * `provider`, only the fixes of criteria change the output.
   *
   * @throws ReviewLoopError `invalid_options` unless it is overridden
   */
  protected async callLLMForImprovements(_prompt: string): Promise<Output> {
    throw new ReviewLoopError(
      'invalid_options',
      `${this.metadata.id} overrides neither callLLMForImprovements nor addressGaps`,
    );
  }

  /**
   * Captures the reviews of a run while `captureForLearning` is true. An error is logged; the
   * outcome stays the same. The default logs a summary.
   */
  protected async captureReviewLearning(
    request: Request,
    _output: Output,
    reviews: SelfReviewResult[],
  ): Promise<void> {
    const [first] = reviews;
    if (first === undefined) return;
    const last = reviews.at(-1) ?? first;
    const closed = reviews.flatMap(({ closedGaps = [] }) => closedGaps);
    const left = new Set([...last.gaps, ...closed].map((gap) => gap.id));
    const [from, to] = [first.overallScore, last.overallScore];
    this.logger.info(
      {
        agentId: this.metadata.id,
        taskId: taskIdOf(request),
        iterations: reviews.length,
        initialScore: from,
        finalScore: to,
        improvement: from === null || to === null ? null : to - from,
        gapsAddressed: first.gaps.filter((gap) => !left.has(gap.id)).length,
      },
      'Self-review learning capture',
    );
  }

  /** Produces and reviews an output. Only `outcome.approved` means that it is approved. */
  async run(request: Request, options: RunOptions = {}): Promise<Outcome<Output>> {
    return (await this.#perform(request, options)).outcome;
  }

  /**
   * Produces and reviews an output, and returns only the output. An `AgentOutput` contains its
   * review and routing hints.
   *
   * @throws ReviewLoopError The error of the outcome if it has no output
   */
  async execute(request: Request, options: RunOptions = {}): Promise<Output> {
    const { output, outcome } = await this.#perform(request, options);
    if (output === undefined)
      throw outcome.error ?? new ReviewLoopError(engineErrors.produce_failed, outcome.reason);
    return output;
  }

  async #perform(request: Request, options: ExecuteOptions): Promise<SelfReviewRun<Output>> {
    const config = selfReviewConfig(this.getSelfReviewConfig());
    const ports = {
      logger: this.logger,
      store: this.#store,
      ...(this.provider && { provider: this.provider }),
      ...(this.verdicts && { verdicts: this.verdicts }),
      ...(this.workspace && { workspace: this.workspace }),
      ...(this.trust && { trust: this.trust }),
      ...(this.confirmWith && { confirmWith: this.confirmWith }),
    };
    const loop = new SelfReviewLoop(this.getReviewCriteria(), config, ports);
    const performed = await loop.run(
      request,
      (context) => this.produce(request, context),
      this.#improves
        ? (output, gaps, context) => this.addressGaps(request, output, gaps, context)
        : undefined,
      options,
    );
    const { output, reviews } = performed;
    if (config.captureForLearning && reviews.length > 0 && output !== undefined)
      await this.#capture(request, output, reviews);
    return performed;
  }

  get #improves(): boolean {
    return (
      this.addressGaps !== BaseAgent.prototype.addressGaps ||
      this.#asksItself ||
      this.provider !== undefined
    );
  }

  get #asksItself(): boolean {
    return this.callLLMForImprovements !== BaseAgent.prototype.callLLMForImprovements;
  }

  async #capture(request: Request, output: Output, reviews: SelfReviewResult[]): Promise<void> {
    try {
      await this.captureReviewLearning(request, output, reviews);
    } catch (error) {
      this.logger.error(
        { agentId: this.metadata.id, error: messageOf(error) },
        'capturing the review failed; the outcome is not affected',
      );
    }
  }
}

export interface ArtifactImprovements extends Partial<AgentOutput> {
  readonly deleted?: readonly string[] | undefined;
}

/**
 * Returns an output with improvements. Artifacts are merged by path, the result by `strategy`;
 * later routing hints win. It changes neither argument.
 */
export function mergeImprovements(
  current: AgentOutput,
  improvements: ArtifactImprovements,
  options: MergeOptions = {},
): AgentOutput {
  checkKeys('mergeImprovements', options, ['result']);
  checkChoice('result', options.result, ['merge', 'replace']);
  const { artifacts, deleted, result, ...others } = improvements;
  return mergeOutput(
    { ...current, ...withoutUndefined(others) },
    { artifacts, deleted, result },
    options,
  );
}

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<Value>;
}
