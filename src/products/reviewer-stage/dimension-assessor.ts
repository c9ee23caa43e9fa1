import { defined } from '../../blocks/pipeline/define-pipeline.js';
import type { PipelineOptions } from '../../blocks/pipeline/pipeline-options.js';
import { checkKeys, checkList } from '../../core/options.js';
import { reviewOnce } from '../../engine/review-once.js';
import { type CompletedWork, parseWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { fromDimension } from './from-dimension.js';
import type { QualityLevel } from './quality-level.js';
import { dimensionsOf, type StageDimension } from './stage-dimension.js';

const optionNames = ['provider', 'limiter', 'clock', 'logger', 'timeouts', 'retries', 'minQuality'];

export interface DimensionAssessorOptions
  extends Pick<
    PipelineOptions<never, never>,
    'provider' | 'limiter' | 'clock' | 'logger' | 'timeouts' | 'retries'
  > {
  /** The level that a dimension must reach to pass. @default 'good' */
  readonly minQuality?: QualityLevel | undefined;
}

/**
 * Assesses dimensions concurrently. It makes no decision. A dimension that throws is reported as
 * failed and does not affect the others.
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
    checkList('dimensions', dimensions);
    checkKeys('DimensionAssessor', options, optionNames);
    this.#dimensions = dimensions;
    this.#options = options;
    this.#definition();
  }

  /**
   * Returns the result of each dimension, in the order of the dimensions.
   *
   * @throws ReviewLoopError `task_invalid`, `cancelled`
   */
  async assess(
    work: CompletedWork,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StageDimension[]> {
    const output = parseWork(work);
    const task = { sessionId: output.sessionId, request: output.request };
    return dimensionsOf(
      this.#dimensions,
      await reviewOnce(this.#definition(), task, output, signal),
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
