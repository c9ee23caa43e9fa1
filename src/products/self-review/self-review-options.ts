import type { PipelineOptions } from '../../blocks/pipeline/pipeline-options.js';
import type { CoverageJudge } from '../../blocks/reviewers/covered-requirement.js';
import type { CoverageModel } from '../../blocks/reviewers/model-coverage.js';
import type { Gap } from '../../core/gap.js';
import type { Outcome } from '../../core/outcome.js';
import type { AddressContext, ProduceContext } from '../../engine/definition.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { LessonStore } from '../../ports/lesson-store.js';
import type { Limiter } from '../../ports/limiter.js';
import type { PartialSelfReviewConfig } from './config.js';
import type { SelfReviewResult } from './self-review-result.js';

/** The ports of a self-review loop. */
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
  /**
   * Decides about requirements whose evidence is unsure. Without a judge, they count as uncovered.
   *
   * @default undefined
   */
  readonly judgeCoverage?: CoverageJudge<Output, Request> | CoverageModel | undefined;
};

/** The options of one execution. */
export interface ExecuteOptions extends RunOptions {
  /** Overrides the configuration of the loop for this task. */
  readonly config?: PartialSelfReviewConfig | undefined;
  /** Stores and recalls the lessons of this execution. @default none */
  readonly learn?: LessonStore | undefined;
  /** Limits concurrent calls. @default the limiter of the loop */
  readonly limiter?: Limiter | undefined;
}

/** The result of a run. */
export interface SelfReviewRun<Output> {
  /** The output of the outcome. An `AgentOutput` is a copy with its review and routing hints. */
  readonly output: Output | undefined;
  readonly reviews: SelfReviewResult[];
  /** The outcome; only `outcome.approved` means approved. */
  readonly outcome: Outcome<Output>;
}

/** A {@link SelfReviewRun} with an output. */
export interface SelfReviewExecution<Output> extends SelfReviewRun<Output> {
  readonly output: Output;
}

/** Produces the first output. */
export type ProduceOutput<Output> = (context: ProduceContext) => Promise<Output>;

/** Fixes the gaps of an output and returns the whole output. */
export type AddressGaps<Output, Request> = (
  output: Output,
  gaps: Gap[],
  context: AddressContext<Request>,
) => Promise<Output>;
