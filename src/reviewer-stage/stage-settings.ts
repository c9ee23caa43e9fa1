import { ReviewLoopError } from '../core/errors.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import { estimatedTokens, type TokenCounter } from '../ports/token-counter.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { defaultDimensions } from './dimensions/default-dimensions.js';
import { type QualityLevel, QualityLevelSchema } from './quality-level.js';
import type { ReviewerStageOptions, StagePorts } from './stage-options.js';

/** Checked options with every default filled in. */
export interface StageSettings
  extends Pick<
    ReviewerStageOptions,
    'replan' | 'summaryGenerator' | 'saveSummary' | 'notify' | 'expiresAfterMs'
  > {
  readonly dimensions: readonly Dimension[];
  readonly reviewers: readonly Reviewer<unknown, CompletedWork>[];
  readonly withoutModel: 'refuse' | 'undecided';
  readonly failedWork: 'skip' | 'assess';
  readonly minQuality: QualityLevel;
  readonly thresholds: Readonly<Record<string, QualityLevel>>;
  readonly timeoutSeconds: number;
  readonly humanReview: 'auto' | 'prompt' | 'require';
  readonly onDecline: 'replan' | 'stop';
  readonly maxCycles: number;
  readonly simple: { readonly files: number; readonly tokens: number };
  readonly tokens: TokenCounter;
  readonly logger: Logger;
  readonly ports: StagePorts & { logger: Logger };
}

const optionNames = [
  'dimensions',
  'enabled',
  'reviewers',
  'withoutModel',
  'failedWork',
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
    reviewers = [],
    withoutModel = 'refuse',
    failedWork = 'skip',
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
  checkReviewers(reviewers, withoutModel);
  if (failedWork !== 'skip' && failedWork !== 'assess')
    throw invalid('failedWork', "'skip' or 'assess'", failedWork);
  if (typeof tokens?.count !== 'function') throw invalid('tokens', 'a TokenCounter', tokens);
  for (const name of ['replan', 'saveSummary', 'notify'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(name, 'a function', options[name]);
  const { replan, summaryGenerator, saveSummary, notify, expiresAfterMs } = options;
  return {
    dimensions: enabledDimensions(options, thresholds),
    reviewers,
    withoutModel,
    failedWork,
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

function checkReviewers(reviewers: unknown, withoutModel: unknown): void {
  if (withoutModel !== 'refuse' && withoutModel !== 'undecided')
    throw invalid('withoutModel', "'refuse' or 'undecided'", withoutModel);
  if (!Array.isArray(reviewers)) throw invalid('reviewers', 'a list of reviewers', reviewers);
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
  if (dimensions.length === 0)
    throw new ReviewLoopError('no_reviewers', '`dimensions` is empty; pass at least one dimension');
  const ids = dimensions.map(({ id }: Dimension) => id);
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
