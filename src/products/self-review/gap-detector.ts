import { defined } from '../../blocks/pipeline/define-pipeline.js';
import type { CoverageModel } from '../../blocks/reviewers/model-coverage.js';
import type { Assessment } from '../../core/assessment.js';
import type { RequirementCoverage } from '../../core/coverage.js';
import type { Gap } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import {
  checkKeys,
  checkPositive,
  checkTable,
  elsewhere,
  givenOf,
  type OptionTable,
} from '../../core/options.js';
import {
  checkedWeights,
  type KnownScores,
  requirementPrefix,
  type ScoreWeights,
  scoresOf,
  specifiedScores,
} from '../../core/scores.js';
import type { Definition } from '../../engine/definition.js';
import { reviewOnce } from '../../engine/review-once.js';
import type { Limiter } from '../../ports/limiter.js';
import { portTable } from '../../ports/port-table.js';
import type { VerdictStore } from '../../ports/verdict-store.js';
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

/**
 * Computes scores from assessments and coverage, never from the claims of a judge. A score with
 * nothing to count is 1.
 *
 * @example
 * ```ts
 * const scorer = new QualityScorer({
 *   weights: { quality: 0.5, completeness: 0.5, correctness: 0 },
 * });
 * scorer.score({ assessments, coverage: [] });
 * ```
 */
export class QualityScorer {
  readonly #weights: ScoreWeights;

  /** @throws ReviewLoopError `invalid_options` for a negative weight, or if all are 0 */
  constructor(options: { readonly weights?: ScoreWeights | undefined } = {}) {
    checkKeys('QualityScorer', options, ['weights']);
    this.#weights = checkedWeights(options.weights ?? {});
  }

  /** Returns the scores of one version. */
  score(found: {
    readonly assessments: readonly Assessment[];
    readonly coverage: readonly RequirementCoverage[];
  }): KnownScores {
    const counted = found.assessments.some(({ criterion }) =>
      criterion.startsWith(requirementPrefix),
    );
    const requirements = counted ? [] : found.coverage.map(asAssessment);
    return specifiedScores(scoresOf([...found.assessments, ...requirements], this.#weights));
  }
}

function asAssessment(coverage: RequirementCoverage): Assessment {
  const verdict = coverage.covered ? 'pass' : 'fail';
  return {
    verdict,
    criterion: `${requirementPrefix}${coverage.requirement}`,
    score: coverage.covered ? 1 : 0,
    explanation: coverage.coverageDetails,
    gaps: [],
    coverage,
  };
}
