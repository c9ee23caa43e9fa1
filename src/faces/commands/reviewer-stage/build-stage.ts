import type { HonestWorkOptions } from '../../../blocks/criteria/diff/honest-work.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import type { AllowedSecret } from '../../../core/redact/allowed-secrets.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { VerdictStore } from '../../../ports/verdict-store.js';
import {
  type ConfiguredReviewer,
  reviewerConfig,
} from '../../../products/reviewer-stage/config.js';
import type { Dimension } from '../../../products/reviewer-stage/dimension.js';
import { defaultDimensions } from '../../../products/reviewer-stage/dimensions/default-dimensions.js';
import { ReviewerStage } from '../../../products/reviewer-stage/reviewer-stage.js';
import type { ReviewerStageOptions } from '../../../products/reviewer-stage/stage-options.js';
import { merged, type Sources } from '../../cli-kit/flags/merged.js';
import type { Io } from '../../cli-kit/io.js';
import type { ProviderChoice } from '../../cli-kit/provider/choose-provider.js';
import { configuredProvider } from '../../cli-kit/provider/provider-choice.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { type ConfiguredLimits, learns } from '../../config/config-parts.js';
import {
  type AllowedSecrets,
  honestWorkIn,
  loadAllowedSecrets,
} from '../../config/load-allowed-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import { runPath } from '../../reports/run-folder.js';
import { codeChecks, honestChanges } from './code-checks.js';
import type { StageRequest } from './stage-request.js';
import { saveStageSummary } from './stored-reviews.js';

interface StageParts {
  readonly request: StageRequest;
  readonly config: ConfiguredReviewer;
  readonly provider: LLMProvider | undefined;
  readonly store: StoreHandle;
  /** Whether the run stores lessons. @default false */
  readonly learn?: boolean | undefined;
  /** Lines that look like secrets and are allowed. Paths are those of the diff. */
  readonly allowedSecrets: readonly AllowedSecret[];
  /** How honest work is judged; `false` if it is not. @default {} */
  readonly honest?: HonestWorkOptions | false | undefined;
  readonly say: (lines: readonly string[]) => Promise<void>;
}

interface LoadedReviewer {
  readonly config: ConfiguredReviewer;
  readonly file: string | false;
  readonly provider: ProviderChoice | LLMProvider | undefined;
  readonly limits?: ConfiguredLimits | undefined;
  readonly learn?: boolean | undefined;
  /** Lines that look like secrets and are allowed. Their paths are absolute. */
  readonly secrets: AllowedSecrets;
  /** How honest work is judged; `false` if it is not. */
  readonly honest: HonestWorkOptions | false;
}

export const stageSources = {
  human: { flag: 'human', member: 'humanReview', usual: 'auto' },
  verify: { flag: 'verify', member: 'verify', both: true },
  allowTruncated: { flag: 'allowTruncated', member: 'allowTruncated', both: true },
} as const satisfies Sources<
  Pick<StageRequest, 'human' | 'verify' | 'allowTruncated'>,
  ConfiguredReviewer
>;

export async function loadReviewer(
  cwd: string,
  config: string | false | undefined,
): Promise<LoadedReviewer> {
  const loaded = await loadConfig(cwd, config, { agent: true });
  const section = reviewerConfig(loaded.config.reviewer);
  return {
    config: section,
    file: loaded.file ?? false,
    provider: section.provider ?? configuredProvider(loaded.config),
    limits: loaded.config.limits,
    learn: learns(loaded.config.learn),
    secrets: await loadAllowedSecrets(cwd, loaded),
    honest: honestWorkIn(cwd, loaded),
  };
}

export function lacksModel({ config, provider }: Pick<StageParts, 'config' | 'provider'>): boolean {
  return (
    provider === undefined &&
    enabledDimensions(config).some(({ needsProvider }) => needsProvider === true)
  );
}

/**
 * Without a model for the dimensions, code judges what it can, and the dimensions stay undecided.
 */
export async function buildStage(
  io: Io,
  { request, config, provider, store, learn = false, allowedSecrets, honest = {}, say }: StageParts,
): Promise<ReviewerStage> {
  const { timeoutSeconds, minQuality, thresholds, maxCycles, onDecline, replan } = config;
  const { human, verify } = merged(stageSources, request, config);
  const alone = lacksModel({ config, provider });
  const options: ReviewerStageOptions = {
    dimensions: enabledDimensions(config),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(minQuality !== undefined && { minQuality }),
    ...(thresholds !== undefined && { thresholds: onlyEnabled(thresholds, config) }),
    ...(maxCycles !== undefined && { maxCycles }),
    ...(onDecline !== undefined && { onDecline }),
    ...(provider !== undefined && { provider }),
    reviewers: [
      ...(honest === false ? [] : [honestChanges(honest)]),
      ...(alone ? await codeChecks() : []),
    ],
    ...(alone && { withoutModel: 'undecided' as const }),
    humanReview: human,
    store: store.runs,
    audit: store.audit,
    ...(learn && { learn: await store.lessons() }),
    // failed judges are asked again, but no equal question is paid for twice
    verdicts: request.again ? writeOnly(store.verdicts) : store.verdicts,
    logger: runLog(store.files, runPath(request.runId, 'log.jsonl')),
    saveSummary: (summary) => saveStageSummary(store.files, summary),
    ...(replan !== undefined && {
      replan: (await import('./stage-facts.js')).planner(replan, {
        request,
        verify,
        allowedSecrets,
        allowUnseen: config.allowUnseen,
        signal: io.signal,
        say,
      }),
    }),
  };
  return new ReviewerStage(options);
}

/** Forgets what it stored before, and stores new verdicts for the next run. */
function writeOnly(verdicts: VerdictStore): VerdictStore {
  return { get: async () => undefined, put: verdicts.put };
}

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

/**
 * JSON lines without secrets. A line that cannot be written is dropped, also if the file is a
 * symbolic link.
 */
export function runLog(
  files: Pick<StoreFiles, 'append'>,
  path: string,
  clock: Clock = systemClock,
): Logger {
  const writer =
    (level: string) =>
    (fields: object, message: string): void => {
      const line = JSON.stringify(
        redactJson({ at: new Date(clock.now()).toISOString(), level, ...fields, message }),
      );
      files.append(path, `${line}\n`);
    };
  return {
    debug: () => undefined,
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  };
}
