import type { Assessment } from '../core/assessment.js';
import type { RequirementCoverage } from '../core/coverage.js';
import type { Gap } from '../core/gap.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys } from '../core/options.js';
import type { Definition } from '../engine/definition.js';
import { reviewOnce } from '../engine/review-once.js';
import { defined } from '../pipeline/define-pipeline.js';
import type { Limiter } from '../ports/limiter.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { CoverageModel } from '../reviewers/model-coverage.js';
import type { AgentOutput, AgentRequest } from './agent.js';
import { agentReviewers, type GivenCriteria } from './agent-reviewers.js';
import { coverageOf } from './record.js';
import type { SelfReviewContext } from './review-criterion.js';

/** How a {@link GapDetector} is bounded. */
export interface GapDetectorOptions {
  readonly limiter?: Limiter | undefined;
  /** For each check. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** For criteria that ask a model and name none. */
  readonly provider?: LLMProvider | undefined;
  /** Keeps verdicts over calls and processes. @default none */
  readonly verdicts?: VerdictStore | undefined;
  /** Asked about requirements of which the evidence shows neither. @default nobody: what is unsure is not covered */
  readonly judgeCoverage?: CoverageModel | undefined;
}

/** Everything that one look at an output found. */
export interface Detection {
  readonly assessments: readonly Assessment[];
  /** The worst first. A judge that failed is an errored assessment, never an empty list of gaps. */
  readonly gaps: Gap[];
  readonly coverage: RequirementCoverage[];
}

/** Finds the gaps of an output without deciding anything (seed 004). */
export class GapDetector<Output = AgentOutput, Request = AgentRequest> {
  readonly #definition: Definition<Request, Output>;

  /** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
  constructor(criteria: GivenCriteria<Output, Request>, options: GapDetectorOptions = {}) {
    checkKeys('GapDetector', options, [
      'limiter',
      'timeoutMs',
      'provider',
      'verdicts',
      'judgeCoverage',
    ]);
    const { limiter, timeoutMs, provider, verdicts, judgeCoverage } = options;
    this.#definition = defined<Request, Output>({
      name: 'gap-detector',
      failFast: false,
      reviewers: agentReviewers(criteria, 0.9, judgeCoverage),
      ...(limiter && { limiter }),
      ...(provider && { provider }),
      ...(verdicts && { verdicts }),
      ...(timeoutMs !== undefined && { timeouts: { checkMs: timeoutMs } }),
    });
  }

  /** @throws ReviewLoopError `not_json`, `cancelled` */
  async detect(
    output: Output,
    request: Request,
    context: Partial<SelfReviewContext> = {},
  ): Promise<Detection> {
    const { assessments, gaps } = await reviewOnce(
      this.#definition,
      request,
      output,
      context.signal,
    );
    return { assessments, gaps: [...gaps], coverage: coverageOf(assessments) };
  }
}
