import { ReviewLoopError } from '../core/errors.js';
import type { HumanRequest } from '../core/human.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import type { StepContext } from '../core/step.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import { estimatedTokens, type TokenCounter } from '../ports/token-counter.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { defaultDimensions } from './dimensions/default-dimensions.js';
import { type QualityLevel, QualityLevelSchema } from './quality-level.js';
import type { StageFeedback } from './stage-feedback.js';
import type { StageSummary, SummaryGenerator } from './summary-generator.js';

/** The context of a `replan` call. */
export interface ReplanContext extends Pick<StepContext, 'signal' | 'step' | 'reportUsage'> {
  /** The rejected work. */
  readonly work: CompletedWork;
  /** The cycle that starts, counted from 1. */
  readonly cycle: number;
}

type Ports = Pick<
  PipelineOptions<never, never>,
  'store' | 'limiter' | 'clock' | 'random' | 'learn' | 'retries' | 'provider' | 'verdicts' | 'audit'
>;

/** Options of {@link ReviewerStage}. */
export interface ReviewerStageOptions extends Ports {
  /** The dimensions to assess. @default defaultDimensions() */
  readonly dimensions?: readonly Dimension[] | undefined;
  /** Disables dimensions, by id and `false`; at least one must stay enabled. @default {} */
  readonly enabled?: Readonly<Record<string, boolean>> | undefined;
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

/** Checked options with every default filled in. */
export interface StageSettings
  extends Pick<
    ReviewerStageOptions,
    'replan' | 'summaryGenerator' | 'saveSummary' | 'notify' | 'expiresAfterMs'
  > {
  readonly dimensions: readonly Dimension[];
  readonly minQuality: QualityLevel;
  readonly thresholds: Readonly<Record<string, QualityLevel>>;
  readonly timeoutSeconds: number;
  readonly humanReview: 'auto' | 'prompt' | 'require';
  readonly onDecline: 'replan' | 'stop';
  readonly maxCycles: number;
  readonly simple: { readonly files: number; readonly tokens: number };
  readonly tokens: TokenCounter;
  readonly logger: Logger;
  readonly ports: Ports & { logger: Logger };
}

const optionNames = [
  'dimensions',
  'enabled',
  'minQuality',
  'thresholds',
  'timeoutSeconds',
  'humanReview',
  'onDecline',
  'replan',
  'maxCycles',
  'simple',
  'tokens',
  'summaryGenerator',
  'saveSummary',
  'notify',
  'expiresAfterMs',
  'logger',
  'store',
  'limiter',
  'clock',
  'random',
  'learn',
  'retries',
  'provider',
  'verdicts',
  'audit',
];

/** @throws ReviewLoopError `invalid_options`, `no_reviewers`, `duplicate_id` */
export function stageSettings(options: ReviewerStageOptions): StageSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('ReviewerStage', options, optionNames);
  const {
    minQuality = 'good',
    thresholds = {},
    timeoutSeconds = 120,
    humanReview = 'auto',
    onDecline = 'replan',
    maxCycles = 3,
    simple = {},
    tokens = estimatedTokens,
    logger = silentLogger,
  } = options;
  for (const [name, level] of Object.entries({ minQuality, ...thresholds }))
    checkThreshold(name, level);
  checkPositive('timeoutSeconds', timeoutSeconds);
  checkWhole('maxCycles', maxCycles, 0);
  if (onDecline !== 'replan' && onDecline !== 'stop')
    throw invalid('onDecline', "'replan' or 'stop'", onDecline);
  if (typeof tokens?.count !== 'function') throw invalid('tokens', 'a TokenCounter', tokens);
  for (const name of ['replan', 'saveSummary', 'notify'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(name, 'a function', options[name]);
  const { replan, summaryGenerator, saveSummary, notify, expiresAfterMs } = options;
  return {
    dimensions: enabledDimensions(options, thresholds),
    minQuality,
    thresholds,
    timeoutSeconds,
    humanReview,
    onDecline,
    maxCycles,
    simple: simpleBounds(simple),
    tokens,
    logger,
    replan,
    summaryGenerator,
    saveSummary,
    notify,
    expiresAfterMs,
    ports: portsOf(options, logger),
  };
}

function simpleBounds(
  simple: NonNullable<ReviewerStageOptions['simple']>,
): StageSettings['simple'] {
  checkKeys('simple', simple, ['files', 'tokens']);
  const { files = 5, tokens = 4000 } = simple;
  checkWhole('simple.files', files, 0);
  checkWhole('simple.tokens', tokens, 0);
  return { files, tokens };
}

/** Refuses `poor` as a threshold, because all work reaches it. */
function checkThreshold(name: string, level: QualityLevel): void {
  const thresholds = QualityLevelSchema.options.slice(1);
  if (!thresholds.includes(level)) throw invalid(name, `one of ${thresholds.join(', ')}`, level);
}

function enabledDimensions(
  { dimensions = defaultDimensions(), enabled = {} }: ReviewerStageOptions,
  thresholds: object,
): readonly Dimension[] {
  if (
    !Array.isArray(dimensions) ||
    dimensions.some(
      (dimension: Dimension) =>
        typeof dimension?.id !== 'string' || typeof dimension.assess !== 'function',
    )
  ) {
    throw invalid('dimensions', 'a list of dimensions with an id and `assess`', dimensions);
  }
  const ids = dimensions.map(({ id }: Dimension) => id);
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
  if (duplicate !== undefined)
    throw new ReviewLoopError('duplicate_id', `two dimensions have the id ${duplicate}`);
  checkKeys('enabled', enabled, ids);
  checkKeys('thresholds', thresholds, ids);
  for (const [id, on] of Object.entries(enabled))
    if (typeof on !== 'boolean') throw invalid(`enabled.${id}`, 'true or false', on);
  const remaining = dimensions.filter(({ id }: Dimension) => enabled[id] !== false);
  if (remaining.length === 0)
    throw new ReviewLoopError(
      'no_reviewers',
      '`enabled` disables all dimensions of the reviewer stage; enable at least one',
    );
  return remaining;
}

function portsOf(
  {
    store,
    limiter,
    clock,
    random,
    learn,
    retries,
    provider,
    verdicts,
    audit,
  }: ReviewerStageOptions,
  logger: Logger,
): StageSettings['ports'] {
  return {
    logger,
    ...(store && { store }),
    ...(limiter && { limiter }),
    ...(clock && { clock }),
    ...(random && { random }),
    ...(learn && { learn }),
    ...(retries !== undefined && { retries }),
    ...(provider && { provider }),
    ...(verdicts && { verdicts }),
    ...(audit && { audit }),
  };
}
