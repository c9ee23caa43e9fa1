import { addressWithModel } from '../../address/address-with-model.js';
import { merged } from '../../cli-kit/flags/merged.js';
import type { FileReviewer } from '../../cli-kit/inputs/file-reviewer.js';
import { withPlanFile } from '../../cli-kit/inputs/plan-file.js';
import { requireProvider } from '../../cli-kit/provider/choose-provider.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { Watchdog } from '../../cli-kit/watchdog/watchdog.js';
import { watchedReviewer } from '../../cli-kit/watchdog/watched-reviewer.js';
import type { Config } from '../../config/config.js';
import { learns } from '../../config/config-parts.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { definePipeline } from '../../pipeline/define-pipeline.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { trustPresets } from '../../pipeline/trust-presets.js';
import { noProgress } from '../../policies/no-progress.js';
import { thresholds } from '../../policies/thresholds.js';
import type { LessonStore } from '../../ports/lesson-store.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import type { TrustChoice } from './choose-trust.js';
import type { ReviewSettings } from './review-settings.js';
import { trustedFiles } from './trusted-files.js';

/** The default limit of reviews with --fix. */
const defaultIterations = 3;

const mostReviews = { flag: 'iterations', member: 'reviews' } as const;

export interface FilePipelineParts {
  readonly settings: Pick<ReviewSettings, 'fix' | 'iterations' | 'checkTimeout'>;
  readonly store: StoreHandle;
  readonly config: Config;
  readonly reviewers: readonly FileReviewer[];
  /** Returns the files with the content that was read. */
  readonly produce: () => Promise<AgentOutput>;
  readonly watchdog: Watchdog;
  /** Default provider for blocks that need a model. */
  readonly provider: LLMProvider | undefined;
  readonly trusting: TrustChoice;
  /** Whether a change without a file is reviewed, because it only removes files. @default false */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * Builds the pipeline of a review of files. Without --fix it reviews once and fixes nothing.
 */
export function filePipeline({
  settings,
  store,
  config,
  reviewers,
  produce,
  watchdog,
  provider,
  trusting,
  allowEmpty = false,
}: FilePipelineParts): Pipeline<AgentRequest, AgentOutput> {
  const { budget = {}, policy, human } = config;
  const trust = trusting.trust && trustPresets[trusting.trust];
  const usual = trust?.reviews ?? defaultIterations;
  requireProvider(
    provider,
    reviewers.filter(({ withProvider }) => withProvider !== undefined),
  );
  const judges = trustedFiles(reviewers, trusting, provider);
  const checks = typeof policy === 'function' ? policy : thresholds(policy);
  const address =
    config.address ?? (provider === undefined ? undefined : addressWithModel({ provider }));
  const watch = {
    begin: (id: string) => watchdog.send({ kind: 'begin', call: { of: 'criterion', id } }),
    end: (id: string) => watchdog.send({ kind: 'end', call: { of: 'criterion', id } }),
  };
  return definePipeline<AgentRequest, AgentOutput>({
    name: 'review',
    produce,
    ...(settings.fix &&
      address !== undefined && {
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
    ...trustOf(trusting),
    ...(human !== undefined && { human }),
    // what a person decided stays decided while task and files are equal
    decisions: store.verdicts,
    ...cachesOf(config, store.lessons),
  });
}

function cachesOf({ verdicts, learn }: Config, lessons: LessonStore) {
  return { ...(verdicts !== undefined && { verdicts }), ...(learns(learn) && { learn: lessons }) };
}

function trustOf({ trust, confirmWith }: TrustChoice) {
  if (trust === undefined) return {};
  return { trust: trustPresets[trust], ...(confirmWith.length > 0 && { confirmWith }) };
}
