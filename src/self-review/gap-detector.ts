import type { Assessment } from '../core/assessment.js';
import type { RequirementCoverage } from '../core/coverage.js';
import type { Gap } from '../core/gap.js';
import type { LLMProvider } from '../core/llm-provider.js';
import {
  checkPositive,
  checkTable,
  elsewhere,
  givenOf,
  type OptionTable,
} from '../core/options.js';
import type { Definition } from '../engine/definition.js';
import { reviewOnce } from '../engine/review-once.js';
import { defined } from '../pipeline/define-pipeline.js';
import type { Limiter } from '../ports/limiter.js';
import { portTable } from '../ports/port-table.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import type { CoverageModel } from '../reviewers/model-coverage.js';
import type { AgentOutput, AgentRequest } from './agent.js';
import { agentReviewers, type GivenCriteria } from './agent-reviewers.js';
import { coverageOf } from './record.js';
import type { ReviewContext } from './review-criterion.js';

export interface GapDetectorOptions {
  readonly limiter?: Limiter | undefined;
  /** The timeout of each check, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** Default provider for criteria that need a model. @default undefined */
  readonly provider?: LLMProvider | undefined;
  /** Caches verdicts across calls and processes. @default undefined */
  readonly verdicts?: VerdictStore | undefined;
  /**
   * Decides about requirements whose evidence is unsure. Without a judge, they count as uncovered.
   *
   * @default undefined
   */
  readonly judgeCoverage?: CoverageModel | undefined;
}

const table: OptionTable<GapDetectorOptions> = {
  ...{ limiter: portTable.limiter, provider: portTable.provider, verdicts: portTable.verdicts },
  ...{ timeoutMs: checkPositive, judgeCoverage: elsewhere() },
};

/** The result of one detection. */
export interface Detection {
  readonly assessments: readonly Assessment[];
  /**
   * All gaps, most severe first. A failed judge adds no gap but an errored assessment.
   */
  readonly gaps: Gap[];
  readonly coverage: RequirementCoverage[];
}

/** Finds the gaps of an output. It decides nothing and fixes nothing. */
export class GapDetector<Output = AgentOutput, Request = AgentRequest> {
  readonly #definition: Definition<Request, Output>;

  /** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
  constructor(criteria: GivenCriteria<Output, Request>, options: GapDetectorOptions = {}) {
    checkTable('GapDetector', table, options);
    const { timeoutMs, judgeCoverage } = options;
    this.#definition = defined<Request, Output>({
      name: 'gap-detector',
      failFast: false,
      reviewers: agentReviewers(criteria, 0.9, judgeCoverage),
      ...givenOf(options, ['limiter', 'verdicts', 'provider']),
      ...(timeoutMs !== undefined && { timeouts: { checkMs: timeoutMs } }),
    });
  }

  /**
   * Returns the gaps of an output.
   *
   * @throws ReviewLoopError `not_json`, `cancelled`
   */
  async detect(
    output: Output,
    request: Request,
    context: Partial<ReviewContext> = {},
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
