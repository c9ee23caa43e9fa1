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

/** What a planner knows of the work that comes back to it. */
export interface ReplanContext extends Pick<StepContext, 'signal' | 'step' | 'reportUsage'> {
  readonly work: CompletedWork;
  /** Counted from 1. */
  readonly cycle: number;
}

type Ports = Pick<
  PipelineOptions<never, never>,
  'store' | 'limiter' | 'clock' | 'random' | 'learn' | 'retries' | 'provider' | 'verdicts' | 'audit'
>;

/** How a {@link ReviewerStage} judges. */
export interface ReviewerStageOptions extends Ports {
  /** What is assessed. @default the five of seed 003 */
  readonly dimensions?: readonly Dimension[] | undefined;
  /** Dimensions that are switched off, by id and `false`. @default all are on */
  readonly enabled?: Readonly<Record<string, boolean>> | undefined;
  /** The level that every dimension needs. @default 'good' */
  readonly minQuality?: QualityLevel | undefined;
  /** Another level for single dimensions, by id. */
  readonly thresholds?: Readonly<Record<string, QualityLevel>> | undefined;
  /** For one review. @default 120 */
  readonly timeoutSeconds?: number | undefined;
  /** `auto` asks nobody, `prompt` asks after an approval and lets the person skip, `require` always needs an approval. @default 'auto' */
  readonly humanReview?: 'auto' | 'prompt' | 'require' | undefined;
  /** Where work goes that a person declines: back to the planner while cycles are left, or nowhere. @default 'replan' */
  readonly onDecline?: 'replan' | 'stop' | undefined;
  /** Makes a new plan and does the work again. @default none: the feedback is in the result */
  readonly replan?:
    | ((feedback: StageFeedback, context: ReplanContext) => Promise<CompletedWork>)
    | undefined;
  /** How often work may go back to the planner; at the limit the review escalates. @default 3 */
  readonly maxCycles?: number | undefined;
  /** What counts as simple, and gets the quick review. @default 5 changed files and 4000 tokens */
  readonly simple?:
    | { readonly files?: number | undefined; readonly tokens?: number | undefined }
    | undefined;
  /** Counts the tokens by which work is simple. @default an estimate */
  readonly tokens?: TokenCounter | undefined;
  /** @default new SummaryGenerator() */
  readonly summaryGenerator?: SummaryGenerator | undefined;
  /** Keeps the summary. */
  readonly saveSummary?: ((summary: StageSummary) => Promise<void>) | undefined;
  /** Told of every question to a person. */
  readonly notify?: ((request: HumanRequest) => Promise<void>) | undefined;
  /** How long a question can be answered. @default for ever */
  readonly expiresAfterMs?: number | undefined;
  /** @default silent */
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

const names = [
  ...[
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
  ],
  ...[
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
  ],
];

/** @throws ReviewLoopError `invalid_options`, `no_reviewers`, `duplicate_id` */
export function checkedStage(options: ReviewerStageOptions): StageSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('ReviewerStage', options, names);
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
  for (const [name, level] of Object.entries({ minQuality, ...thresholds })) checkBar(name, level);
  checkPositive('timeoutSeconds', timeoutSeconds);
  checkWhole('maxCycles', maxCycles, 0);
  if (onDecline !== 'replan' && onDecline !== 'stop')
    throw invalid('onDecline', "'replan' or 'stop'", onDecline);
  checkKeys('simple', simple, ['files', 'tokens']);
  const { files = 5, tokens: mostTokens = 4000 } = simple;
  checkWhole('simple.files', files, 0);
  checkWhole('simple.tokens', mostTokens, 0);
  if (typeof tokens?.count !== 'function') throw invalid('tokens', 'a TokenCounter', tokens);
  for (const name of ['replan', 'saveSummary', 'notify'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(name, 'a function', options[name]);
  const { replan, summaryGenerator, saveSummary, notify, expiresAfterMs } = options;
  const dimensions = enabledOf(options, thresholds);
  return {
    ...{
      dimensions,
      minQuality,
      thresholds,
      timeoutSeconds,
      humanReview,
      onDecline,
      maxCycles,
      logger,
      replan,
      summaryGenerator,
      saveSummary,
      notify,
      expiresAfterMs,
    },
    simple: { files, tokens: mostTokens },
    tokens,
    ports: portsOf(options, logger),
  };
}

/** `poor` is no bar: work that is poor in one respect would pass it. */
function checkBar(name: string, level: QualityLevel): void {
  const bars = QualityLevelSchema.options.slice(1);
  if (!bars.includes(level)) throw invalid(name, `one of ${bars.join(', ')}`, level);
}

function enabledOf(
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
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new ReviewLoopError('duplicate_id', `two dimensions have the id ${twice}`);
  checkKeys('enabled', enabled, ids);
  checkKeys('thresholds', thresholds, ids);
  for (const [id, on] of Object.entries(enabled))
    if (typeof on !== 'boolean') throw invalid(`enabled.${id}`, 'true or false', on);
  const left = dimensions.filter(({ id }: Dimension) => enabled[id] !== false);
  if (left.length === 0)
    throw new ReviewLoopError(
      'no_reviewers',
      'every dimension of the reviewer stage is switched off',
    );
  return left;
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
