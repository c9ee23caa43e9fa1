import type { HumanRequest } from '../core/human.js';
import type { Reviewer } from '../core/reviewer.js';
import type { StepContext } from '../core/step.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import type { Logger } from '../ports/logger.js';
import type { TokenCounter } from '../ports/token-counter.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import type { QualityLevel } from './quality-level.js';
import type { StageFeedback } from './stage-feedback.js';
import type { StageSummary, SummaryGenerator } from './summary-generator.js';

/** The context of a `replan` call. */
export interface ReplanContext
  extends Pick<StepContext, 'signal' | 'step' | 'reportUsage' | 'ask'> {
  /** The rejected work. */
  readonly work: CompletedWork;
  /** The cycle that starts, counted from 1. */
  readonly cycle: number;
}

export type StagePorts = Pick<
  PipelineOptions<never, never>,
  'store' | 'limiter' | 'clock' | 'random' | 'learn' | 'retries' | 'provider' | 'verdicts' | 'audit'
>;

/** Options of {@link ReviewerStage}. */
export interface ReviewerStageOptions extends StagePorts {
  /** The dimensions to assess. @default defaultDimensions() */
  readonly dimensions?: readonly Dimension[] | undefined;
  /** Disables dimensions, by id and `false`; at least one must stay enabled. @default {} */
  readonly enabled?: Readonly<Record<string, boolean>> | undefined;
  /** Reviewers beside the dimensions, for what code can tell. @default [] */
  readonly reviewers?: readonly Reviewer<unknown, CompletedWork>[] | undefined;
  /**
   * What happens to a dimension that needs a model without one: `refuse` throws
   * `provider_missing`, `undecided` leaves it to a person.
   *
   * @default 'refuse'
   */
  readonly withoutModel?: 'refuse' | 'undecided' | undefined;
  /**
   * What dimensions that ask a model do with work whose verification failed: `skip` asks no model,
   * because the work is rejected in any case; `assess` asks.
   *
   * @default 'skip'
   */
  readonly failedWork?: 'skip' | 'assess' | undefined;
  /** The level that every dimension must reach; `poor` is not allowed. @default 'good' */
  readonly minQuality?: QualityLevel | undefined;
  /** Levels that replace `minQuality`, by dimension id. @default {} */
  readonly thresholds?: Readonly<Record<string, QualityLevel>> | undefined;
  /** The timeout of one review, in seconds; above 0. @default 120 */
  readonly timeoutSeconds?: number | undefined;
  /**
   * Whether a person decides. `auto` asks nobody, `prompt` asks after an approval and lets the
   * person skip, `require` needs a person's approval.
   *
   * @default 'auto'
   */
  readonly humanReview?: 'auto' | 'prompt' | 'require' | undefined;
  /**
   * The action if a person declines: call `replan` while cycles remain, or stop.
   *
   * @default 'replan'
   */
  readonly onDecline?: 'replan' | 'stop' | undefined;
  /** Makes a new plan and does the work again. @default none: rejected work ends the stage */
  readonly replan?:
    | ((feedback: StageFeedback, context: ReplanContext) => Promise<CompletedWork>)
    | undefined;
  /** The maximum number of `replan` calls, from 0. At the limit the stage escalates. @default 3 */
  readonly maxCycles?: number | undefined;
  /**
   * The limits of simple work. Within both limits, work gets a quick review, which asks fewer
   * questions.
   *
   * @default { files: 5, tokens: 4000 }
   */
  readonly simple?:
    | { readonly files?: number | undefined; readonly tokens?: number | undefined }
    | undefined;
  /** Counts the tokens for `simple`. @default estimatedTokens */
  readonly tokens?: TokenCounter | undefined;
  /** Writes the summary. @default new SummaryGenerator() */
  readonly summaryGenerator?: SummaryGenerator | undefined;
  /** Stores the summary. A failure is reported as ACODE-REVIEW-005. @default none */
  readonly saveSummary?: ((summary: StageSummary) => Promise<void>) | undefined;
  /** Receives every question to a person. @default none */
  readonly notify?: ((request: HumanRequest) => Promise<void>) | undefined;
  /** The time to answer a question, in milliseconds. @default never expires */
  readonly expiresAfterMs?: number | undefined;
  /** Receives one record for each event of the stage. @default silentLogger */
  readonly logger?: Logger | undefined;
}
