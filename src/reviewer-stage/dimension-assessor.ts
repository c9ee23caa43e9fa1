import { reviewOnce } from '../engine/review-once.js';
import { defined } from '../pipeline/define-pipeline.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import { checkedWork } from './checked-work.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { fromDimension } from './from-dimension.js';
import type { QualityLevel } from './quality-level.js';
import { dimensionsOf, type StageDimension } from './stage-dimension.js';

/** What a {@link DimensionAssessor} takes beside its dimensions. */
export interface DimensionAssessorOptions
  extends Pick<
    PipelineOptions<never, never>,
    'provider' | 'limiter' | 'clock' | 'logger' | 'timeouts' | 'retries'
  > {
  /** The level that each needs to pass. @default 'good' */
  readonly minQuality?: QualityLevel | undefined;
}

/**
 * Assesses dimensions side by side, without a decision (seed 003). One that fails is told as failed, and costs the others nothing.
 *
 * @example
 * ```ts
 * const results = await new DimensionAssessor(defaultDimensions(), { provider }).assess(work);
 * ```
 */
export class DimensionAssessor {
  readonly #dimensions: readonly Dimension[];
  readonly #options: DimensionAssessorOptions;

  /** @throws ReviewLoopError `invalid_options`, `duplicate_id`, `provider_missing` */
  constructor(dimensions: readonly Dimension[], options: DimensionAssessorOptions = {}) {
    this.#dimensions = dimensions;
    this.#options = options;
    this.#definition();
  }

  /**
   * What each dimension says of the work, in their order.
   *
   * @throws ReviewLoopError `task_invalid`, `cancelled`
   */
  async assess(
    work: CompletedWork,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StageDimension[]> {
    const checked = checkedWork(work);
    const { sessionId, request } = checked;
    return dimensionsOf(
      this.#dimensions,
      await reviewOnce(this.#definition(), { sessionId, request }, checked, signal),
    );
  }

  #definition() {
    const { minQuality: threshold = 'good', ...ports } = this.#options;
    return defined<unknown, CompletedWork>({
      ...ports,
      failFast: false,
      reviewers: this.#dimensions.map((dimension) => fromDimension(dimension, { threshold })),
    });
  }
}
