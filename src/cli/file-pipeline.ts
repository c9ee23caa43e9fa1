import type { Config } from '../config/config.js';
import { addressWithModel } from '../gaps/address-with-model.js';
import type { AgentOutput, AgentRequest } from '../kernel/agent.js';
import type { LLMProvider } from '../kernel/llm-provider.js';
import { definePipeline, type Pipeline } from '../pipelines/define-pipeline.js';
import { noProgress } from '../policies/no-progress.js';
import { thresholds } from '../policies/thresholds.js';
import type { FileReviewer } from './file-reviewer.js';
import { keptRuns } from './kept-runs.js';
import { withPlanFile } from './plan-file.js';
import type { ReviewSettings } from './review-settings.js';
import type { Watchdog } from './watchdog.js';
import { watchedReviewer } from './watched-reviewer.js';

/** How many reviews a loop has when nobody says. */
const defaultIterations = 3;

/** What the pipeline of files is made of. */
export interface FilePipelineParts {
  readonly settings: Pick<ReviewSettings, 'fix' | 'iterations' | 'store' | 'checkTimeoutMs'>;
  readonly config: Config;
  readonly reviewers: readonly FileReviewer[];
  /** Gives the files as they were read. */
  readonly produce: () => Promise<AgentOutput>;
  readonly watchdog: Watchdog;
  /** The model that blocks ask which name none. */
  readonly provider: LLMProvider | undefined;
}

/** The pipeline of files: it starts with them as they were read; without --fix there is one review and no repair. */
export function filePipeline({ settings, config, reviewers, produce, watchdog, provider }: FilePipelineParts): Pipeline<AgentRequest, AgentOutput> {
  const { budget = {}, policy, human, verdicts } = config;
  const address = config.address ?? (provider === undefined ? undefined : addressWithModel({ provider }));
  const watch = {
    begin: (id: string) => watchdog.tell({ kind: 'begin', call: { of: 'criterion', id } }),
    end: (id: string) => watchdog.tell({ kind: 'end', call: { of: 'criterion', id } }),
  };
  const { store, audit } = keptRuns(settings.store);
  return definePipeline<AgentRequest, AgentOutput>({
    name: 'review',
    produce,
    ...(settings.fix && address !== undefined && { address: async (output, gaps, context) => withPlanFile(output, await address(output, gaps, context)) }),
    reviewers: reviewers.map((reviewer) => watchedReviewer(reviewer, watch)),
    policy: typeof policy === 'function' ? policy : noProgress(thresholds(policy)),
    budget: { ...budget, iterations: settings.fix ? (settings.iterations ?? budget.iterations ?? defaultIterations) : 1 },
    timeouts: { checkMs: settings.checkTimeoutMs },
    store,
    audit,
    ...(provider !== undefined && { provider }),
    ...(human !== undefined && { human }),
    ...(verdicts !== undefined && { verdicts }),
  });
}
