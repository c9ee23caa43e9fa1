import { runTable } from '../../blocks/pipeline/check-options.js';
import type { PipelineOptions } from '../../blocks/pipeline/pipeline-options.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { HumanRequest } from '../../core/human.js';
import {
  call,
  checkChoice,
  checkKeys,
  checkList,
  checkPositive,
  checkTable,
  elsewhere,
  type Filled,
  givenOf,
  invalid,
  like,
  list,
  nested,
  type OptionCheck,
  type OptionTable,
  oneOf,
  whole,
  withDefaults,
} from '../../core/options.js';
import type { Reviewer } from '../../core/reviewer.js';
import type { StepContext } from '../../core/step.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import { portTable } from '../../ports/port-table.js';
import { estimatedTokens, type TokenCounter } from '../../ports/token-counter.js';
import type { CompletedWork } from './completed-work.js';
import type { Dimension } from './dimension.js';
import { defaultDimensions } from './dimensions/default-dimensions.js';
import { type QualityLevel, QualityLevelSchema } from './quality-level.js';
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

type StagePorts = Pick<
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

const defaults = {
  ...({ minQuality: 'good', thresholds: {}, timeoutSeconds: 120, maxCycles: 3 } as const),
  ...({ humanReview: 'auto', onDecline: 'replan', reviewers: [] } as const),
  ...({ withoutModel: 'refuse', failedWork: 'skip' } as const),
  ...{ tokens: estimatedTokens, logger: silentLogger },
};

/** Checked options with every default filled in. */
export interface StageSettings
  extends Filled<
    Omit<ReviewerStageOptions, 'simple' | 'enabled' | keyof StagePorts>,
    keyof typeof defaults | 'dimensions'
  > {
  readonly simple: { readonly files: number; readonly tokens: number };
  readonly ports: StagePorts & { logger: Logger };
}

const { provider, verdicts, audit, store, limiter, clock, random, learn, logger } = portTable;

const ports = {
  ...{ store, limiter, clock, random, learn, provider, verdicts, audit },
  retries: runTable.retries,
};

const portNames = Object.keys(ports) as (keyof typeof ports)[];

/** `poor` cannot be a threshold: all work reaches it. */
const level: OptionCheck<QualityLevel> = (name, value) =>
  checkChoice(name, value, QualityLevelSchema.options.slice(1));

const table: OptionTable<ReviewerStageOptions> = {
  dimensions: elsewhere(),
  enabled: elsewhere(),
  reviewers: list,
  withoutModel: oneOf('refuse', 'undecided'),
  failedWork: oneOf('skip', 'assess'),
  minQuality: level,
  thresholds: elsewhere(),
  timeoutSeconds: checkPositive,
  humanReview: elsewhere(),
  onDecline: oneOf('replan', 'stop'),
  replan: call,
  maxCycles: whole(0),
  simple: nested<NonNullable<ReviewerStageOptions['simple']>>({
    files: whole(0),
    tokens: whole(0),
  }),
  tokens: like('a TokenCounter', 'count'),
  summaryGenerator: elsewhere(),
  ...{ saveSummary: call, notify: call, expiresAfterMs: elsewhere() },
  logger,
  ...ports,
};

export function stageSettings(options: ReviewerStageOptions): StageSettings {
  checkTable('ReviewerStage', table, options);
  const {
    thresholds = {},
    logger = silentLogger,
    simple: { files = 5, tokens = 4000 } = {},
  } = options;
  for (const [name, threshold] of Object.entries(thresholds)) level(name, threshold);
  return {
    ...withDefaults(options, { ...defaults, dimensions: [] }),
    dimensions: enabledDimensions(options, thresholds),
    simple: { files, tokens },
    ports: { logger, ...givenOf(options, portNames) },
  };
}

function enabledDimensions(
  { dimensions = defaultDimensions(), enabled = {} }: ReviewerStageOptions,
  thresholds: object,
): readonly Dimension[] {
  checkList('dimensions', dimensions);
  for (const [place, dimension] of dimensions.entries())
    if (!dimension?.id || typeof dimension.assess !== 'function')
      throw invalid(`dimensions[${place}]`, 'a dimension with an id and `assess`', dimension);
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
