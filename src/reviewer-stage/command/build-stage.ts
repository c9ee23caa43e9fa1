import { join } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import {
  chooseProvider,
  configuredProvider,
  requireProvider,
} from '../../cli-kit/provider/choose-provider.js';
import type { ProviderChoice } from '../../cli-kit/provider/provider-choice.js';
import { openStores } from '../../cli-kit/run-stores.js';
import { loadConfig } from '../../config/load-config.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { runLog } from '../../reports/run-log.js';
import { type ConfiguredReviewer, reviewerConfig } from '../config.js';
import type { Dimension } from '../dimension.js';
import { defaultDimensions } from '../dimensions/default-dimensions.js';
import { ReviewerStage } from '../reviewer-stage.js';
import type { ReviewerStageOptions } from '../stage-options.js';
import { planner } from './planner.js';
import { runFolder } from './stage-files.js';
import type { StageRequest } from './stage-request.js';
import { saveStageSummary } from './stored-reviews.js';

/** What a stage is built from. */
export interface StageParts {
  readonly request: StageRequest;
  readonly config: ConfiguredReviewer;
  readonly provider: LLMProvider | undefined;
  readonly store: string;
  /** Prints lines of the screen. */
  readonly say: (lines: readonly string[]) => Promise<void>;
}

/** What the configuration says of reviews of diffs, and the file that it is from. */
export interface LoadedReviewer {
  readonly config: ConfiguredReviewer;
  readonly file: string | false;
  /** Who judges: the provider of the section, else that of the whole configuration. */
  readonly provider: ProviderChoice | LLMProvider | undefined;
}

/** Loads what the configuration says of reviews of diffs. */
export async function loadReviewer(
  cwd: string,
  config: string | false | undefined,
): Promise<LoadedReviewer> {
  if (config === false) return { config: {}, file: false, provider: undefined };
  const loaded = await loadConfig(cwd, config, { agent: true });
  const section = reviewerConfig(loaded.config.reviewer);
  return {
    config: section,
    file: loaded.file ?? false,
    provider: section.provider ?? configuredProvider(loaded.config),
  };
}

/**
 * The provider that judges.
 *
 * @throws ReviewLoopError `provider_missing` where a dimension asks a model and there is none
 */
export async function stageProvider(
  io: Pick<Io, 'err'>,
  {
    config,
    choice,
    quiet,
  }: {
    readonly config: ConfiguredReviewer;
    readonly choice: ProviderChoice | LLMProvider | undefined;
    readonly quiet: boolean;
  },
): Promise<LLMProvider | undefined> {
  const provider = await chooseProvider(io, choice, quiet);
  requireProvider(
    provider,
    enabledDimensions(config).filter(({ needsProvider }) => needsProvider === true),
  );
  return provider;
}

/** The stage of a request. */
export function buildStage(
  io: Io,
  { request, config, provider, store, say }: StageParts,
): ReviewerStage {
  const { timeoutSeconds, humanReview, minQuality, thresholds, maxCycles, onDecline, replan } =
    config;
  const kept = openStores(store);
  const options: ReviewerStageOptions = {
    dimensions: enabledDimensions(config),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(minQuality !== undefined && { minQuality }),
    ...(thresholds !== undefined && { thresholds: onlyEnabled(thresholds, config) }),
    ...(maxCycles !== undefined && { maxCycles }),
    ...(onDecline !== undefined && { onDecline }),
    ...(provider !== undefined && { provider }),
    humanReview: request.human ?? humanReview ?? 'auto',
    store: kept.store,
    audit: kept.audit,
    // a judge that failed may be asked anew, but an equal question is not paid for twice
    ...(!request.again && { verdicts: kept.verdicts }),
    logger: runLog(join(runFolder(store, request.runId), 'log.jsonl')),
    saveSummary: (summary) => saveStageSummary(store, summary),
    ...(replan !== undefined && {
      replan: planner(replan, {
        request,
        verify: verifyCommands(config, request),
        signal: io.signal,
        say,
      }),
    }),
  };
  return new ReviewerStage(options);
}

/** The commands of the configuration and of the options. */
export function verifyCommands(
  { verify = [] }: ConfiguredReviewer,
  request: StageRequest,
): readonly (string | readonly string[])[] {
  return [...verify, ...request.verify];
}

/** The five and those of the configuration, without those that are switched off. */
export function enabledDimensions({ dimensions = {} }: ConfiguredReviewer): Dimension[] {
  const own = Object.values(dimensions).filter(
    (value): value is Dimension => typeof value !== 'boolean',
  );
  return [...defaultDimensions(), ...own].filter(({ id }) => dimensions[id] !== false);
}

function onlyEnabled<Value>(
  values: Readonly<Record<string, Value>>,
  config: ConfiguredReviewer,
): Record<string, Value> {
  const ids = new Set(enabledDimensions(config).map(({ id }) => id));
  return Object.fromEntries(Object.entries(values).filter(([id]) => ids.has(id)));
}
