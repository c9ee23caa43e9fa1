import { definePipeline } from '../../../blocks/pipeline/define-pipeline.js';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import type { TrustName } from '../../../blocks/pipeline/trust-names.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { engineErrors } from '../../../engine/errors.js';
import { noProgress } from '../../../engine/policies/no-progress.js';
import { thresholds } from '../../../engine/policies/thresholds.js';
import { askWhereUnreliable } from '../../../products/calibration/ask-where-unreliable.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { acceptedPath, readAccepted } from '../../cli-kit/criteria/accepted-file.js';
import { chooseCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import { usageError } from '../../cli-kit/errors.js';
import { merged, type Sources } from '../../cli-kit/flags/merged.js';
import { type FileReviewer, withPlanFile } from '../../cli-kit/inputs/read-inputs.js';
import type { ProviderChoice } from '../../cli-kit/provider/choose-provider.js';
import {
  providerFor,
  reopenProvider,
  requireProvider,
} from '../../cli-kit/provider/provider-choice.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { type Watchdog, watchedReviewer } from '../../cli-kit/watchdog/watchdog.js';
import type { Config } from '../../config/config.js';
import { learns } from '../../config/config-parts.js';
import { honestWorkIn } from '../../config/load-allowed-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import type { ReviewSettings } from './review-settings.js';
import type { RunRequest } from './run-request.js';

const defaultIterations = 3;

const mostReviews = { flag: 'iterations', member: 'reviews' } as const;

export interface FilePipelineParts {
  readonly settings: Pick<ReviewSettings, 'fix' | 'iterations' | 'checkTimeout'>;
  readonly store: StoreHandle;
  readonly config: Config;
  readonly reviewers: readonly FileReviewer[];
  readonly produce: () => Promise<AgentOutput>;
  readonly watchdog: Watchdog;
  readonly provider: LLMProvider | undefined;
  readonly trusting: TrustChoice;
  /** Whether a change without a file is reviewed, because it only removes files. @default false */
  readonly allowEmpty?: boolean | undefined;
}

/** Without --fix it reviews once and fixes nothing. */
export async function filePipeline({
  settings,
  store,
  config,
  reviewers,
  produce,
  watchdog,
  provider,
  trusting,
  allowEmpty = false,
}: FilePipelineParts): Promise<Pipeline<AgentRequest, AgentOutput>> {
  const { budget = {}, policy, human } = config;
  const { trust: name, confirmWith } = trusting;
  const trust = name && (await trusted()).trustPresets[name];
  const usual = trust?.reviews ?? defaultIterations;
  requireProvider(
    provider,
    reviewers.filter(({ withProvider }) => withProvider !== undefined),
  );
  const judges = await trustedFiles(reviewers, trusting, provider);
  const checks = typeof policy === 'function' ? policy : thresholds(policy);
  const address = settings.fix ? await addressOf(config, provider) : undefined;
  const watch = {
    begin: (id: string) => watchdog.send({ kind: 'begin', call: { of: 'criterion', id } }),
    end: (id: string) => watchdog.send({ kind: 'end', call: { of: 'criterion', id } }),
  };
  return definePipeline<AgentRequest, AgentOutput>({
    name: 'review',
    produce,
    ...(address !== undefined && {
      address: async (output, gaps, context) =>
        withPlanFile(output, await address(output, gaps, context)),
    }),
    reviewers: judges.map((reviewer) => watchedReviewer(reviewer, watch)),
    policy:
      typeof policy === 'function' ? policy : (trust?.policy(checks, judges) ?? noProgress(checks)),
    budget: {
      ...budget,
      reviews: settings.fix
        ? merged({ reviews: { ...mostReviews, usual } }, settings, budget).reviews
        : 1,
    },
    timeouts: { checkMs: settings.checkTimeout * 1000 },
    store: store.runs,
    audit: store.audit,
    allowEmpty,
    ...(provider !== undefined && { provider }),
    ...(trust && { trust, ...(confirmWith.length > 0 && { confirmWith }) }),
    ...(human !== undefined && { human }),
    // what a person decided stays decided while task and files are equal
    decisions: store.verdicts,
    ...(await cachesOf(config, store)),
  });
}

const trusted = () => import('../../../blocks/pipeline/trust-presets.js');

async function addressOf(
  { address }: Config,
  provider: LLMProvider | undefined,
): Promise<Config['address']> {
  if (address !== undefined || provider === undefined) return address;
  const { addressWithModel } = await import('../../../blocks/address/address-with-model.js');
  return addressWithModel({ provider });
}

async function cachesOf({ verdicts, learn }: Config, { lessons }: StoreHandle) {
  return { ...(verdicts && { verdicts }), ...(learns(learn) && { learn: await lessons() }) };
}

/** If none of them asks a model, models decide whether the files do what the task asks for. */
async function trustedFiles(
  reviewers: readonly FileReviewer[],
  { trust, confirmWith }: TrustChoice,
  provider: LLMProvider | undefined,
): Promise<readonly FileReviewer[]> {
  if (trust === undefined || reviewers.some(({ tier }) => tier !== 'code')) return reviewers;
  const first = provider ?? confirmWith[0];
  if (first === undefined)
    throw usageError(`--trust ${trust} asks a model: pass --provider or --confirm-with`);
  const { wholeTask } = await import('../../../blocks/reviewers/confirm.js');
  return [...reviewers, wholeTask<AgentRequest, AgentOutput>(first)];
}

/**
 * Applies the rules about them that people accepted: verdicts that people often disagreed with
 * become questions. Without `learn` in the configuration no rule counts.
 */
export async function askingFiles(
  cwd: string,
  { learn }: Pick<Config, 'learn'>,
  reviewers: readonly FileReviewer[],
): Promise<readonly FileReviewer[]> {
  if (!learns(learn)) return reviewers;
  const { judges = [] } = (await readAccepted(cwd, await acceptedPath(cwd))) ?? {};
  return reviewers.map((reviewer) =>
    askWhereUnreliable(
      reviewer,
      judges.filter(({ criterion }) => criterion === reviewer.id),
    ),
  );
}

/** Runs in another process than the first. Reads no files, because the journal contains them. */
export async function rebuildPipeline(
  store: StoreHandle,
  request: RunRequest,
  watchdog: Watchdog,
): Promise<Pipeline<AgentRequest, AgentOutput>> {
  const { runId, cwd, config, files, plan, requirements, since } = request;
  watchdog.send({ kind: 'begin', call: { of: 'configuration' } });
  const loaded = await loadConfig(cwd, config);
  const output: AgentOutput = {
    ...(plan && { result: {} }),
    artifacts: files.map(({ path, type }) => ({ path, type })),
  };
  const chosen = providerFor(request, loaded.config);
  const { reviewers } = await chooseCriteria({
    cwd,
    output,
    options: request.criteria,
    config: loaded.config,
    configFile: loaded.file,
    asksModel: chosen !== undefined,
    requirements:
      request.requirements === false
        ? false
        : requirements && { makesSteps: false, extract: async () => requirements },
    words: request.words,
    pages: request.pages,
  });
  watchdog.send({ kind: 'end', call: { of: 'configuration' } });
  const produce = async (): Promise<AgentOutput> => {
    throw new ReviewLoopError(
      engineErrors.run_unknown,
      `the journal of run ${runId} does not contain the files that were read`,
      { value: runId },
    );
  };
  const reopen = (choice: ProviderChoice | LLMProvider | undefined) =>
    reopenProvider(choice, loaded.config.limits, store.limits);
  const honest = since && honestWorkIn(cwd, loaded, since.root);
  const judges =
    since === undefined || honest === undefined
      ? reviewers
      : (await import('./since-start.js')).sinceStart(reviewers, since, honest);
  return filePipeline({
    settings: request,
    store,
    config: loaded.config,
    reviewers: await askingFiles(cwd, loaded.config, judges),
    produce,
    watchdog,
    provider: await reopen(chosen),
    trusting: await chooseTrust(request, loaded.config, reopen),
    allowEmpty: since !== undefined,
  });
}

const sources = {
  trust: { flag: 'trust', member: 'trust' },
  confirmWith: { flag: 'confirmWith', member: 'confirmWith' },
} as const satisfies Sources<TrustSettings, Config>;

export interface TrustSettings {
  readonly trust: TrustName | undefined;
  readonly confirmWith: readonly string[];
}

export interface TrustChoice {
  readonly trust: TrustName | undefined;
  readonly confirmWith: readonly LLMProvider[];
}

export async function chooseTrust(
  options: TrustSettings,
  config: Config,
  choose: (choice: ProviderChoice | LLMProvider) => Promise<LLMProvider | undefined>,
): Promise<TrustChoice> {
  const { trust, confirmWith: others = [] } = merged(sources, options, config);
  const chosen: readonly (string | LLMProvider)[] = isList(others) ? others : [others];
  if (chosen.length > 0 && trust === undefined)
    throw usageError('--confirm-with requires --trust: pass fast, guarded or autonomous');
  const confirmWith: LLMProvider[] = [];
  for (const named of chosen) {
    if (named === 'auto')
      throw usageError(
        '--confirm-with cannot be auto, because auto may choose the judge itself; name a model, such as openai:MODEL',
      );
    const provider = await choose(typeof named === 'string' ? { name: named } : named);
    if (provider !== undefined) confirmWith.push(provider);
  }
  return { trust, confirmWith };
}

function isList(
  given: NonNullable<Config['confirmWith']>,
): given is readonly (string | LLMProvider)[] {
  return Array.isArray(given);
}
