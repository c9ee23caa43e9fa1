import type { AgentOutput, AgentRequest } from '../kernel/agent.js';
import { definePipeline, type Pipeline } from '../pipelines/define-pipeline.js';
import { noProgress } from '../policies/no-progress.js';
import { thresholds } from '../policies/thresholds.js';
import { withPlanFile } from './plan-file.js';
import type { PreparedReview } from './review-settings.js';
import type { Watchdog } from './watchdog.js';
import { watchedReviewer } from './watched-reviewer.js';

/** How many reviews a loop has when nobody says. */
const defaultIterations = 3;

/** The pipeline of files: it starts with them as they were read; without --fix there is one review and no repair. */
export function filePipeline({ settings, loaded, inputs, criteria }: PreparedReview, watchdog: Watchdog): Pipeline<AgentRequest, AgentOutput> {
  const { budget = {}, policy, address } = loaded.config;
  const watch = {
    begin: (id: string) => watchdog.tell({ kind: 'begin', call: { of: 'criterion', id } }),
    end: (id: string) => watchdog.tell({ kind: 'end', call: { of: 'criterion', id } }),
  };
  return definePipeline<AgentRequest, AgentOutput>({
    name: 'review',
    produce: async () => inputs.output,
    ...(settings.fix && address !== undefined && { address: async (output, gaps, context) => withPlanFile(output, await address(output, gaps, context)) }),
    reviewers: criteria.reviewers.map((reviewer) => watchedReviewer(reviewer, watch)),
    policy: typeof policy === 'function' ? policy : noProgress(thresholds(policy)),
    budget: { ...budget, iterations: settings.fix ? (settings.iterations ?? budget.iterations ?? defaultIterations) : 1 },
    timeouts: { checkMs: settings.checkTimeoutMs },
  });
}
