import type { RequirementCoverage } from '../../core/coverage.js';
import type { CriterionContext, CriterionResult } from '../../core/criterion.js';
import type { GapCategory, Severity } from '../../core/gap.js';
import type { Reviewer } from '../../core/reviewer.js';
import type { AgentOutput, AgentRequest } from './agent.js';
import type { SelfReviewResult } from './self-review-result.js';

/** The context of an agent's criteria. */
export interface ReviewContext extends CriterionContext {
  /** The outputs of earlier tasks, from the request. */
  readonly previousOutputs: AgentOutput[];
  /**
   * The finished reviews of this run as records, oldest first. Empty for a criterion with a
   * `scope`, because its verdict may be reused.
   */
  readonly previousReviews: SelfReviewResult[];
}

/** One check of an agent's output. */
export interface ReviewCriterion<Output = AgentOutput, Request = AgentRequest> {
  id: string;
  name: string;
  description: string;
  severity: Severity;
  category: GapCategory;
  /** Judges an output. */
  readonly validate: (
    output: Output,
    request: Request,
    context: ReviewContext,
  ) => Promise<CriterionResult>;
  /** The version, as in {@link CriterionOptions}. @default a hash of the function's text */
  readonly version?: string | undefined;
  /**
   * Selects what the criterion reads instead of the output, like a reviewer's `scope`.
   *
   * @default the whole output
   */
  readonly scope?: Reviewer<Request, Output>['scope'];
  /** Fixes one gap without guessing, like a reviewer's `fix`. */
  readonly fix?: Reviewer<Request, Output>['fix'];
  /**
   * Replaces `validate` in a pipeline, for criteria that make their own calls and steps.
   */
  readonly reviewer?: Reviewer<Request, Output> | undefined;
}

/** The criteria of one kind of agent, and how it reads requirements. */
export interface AgentReviewCriteria<Output = AgentOutput, Request = AgentRequest> {
  agentId: string;
  /**
   * The version of the functions that read requirements and their coverage, as in
   * {@link CriterionOptions}.
   *
   * @default a hash of the functions' texts
   */
  readonly version?: string | undefined;
  criteria: ReviewCriterion<Output, Request>[];
  /** Returns the requirements that a request states or implies, each once. */
  extractRequirements(request: Request): Promise<string[]>;
  /** Returns whether an output covers one requirement. */
  checkRequirementCovered(
    requirement: string,
    output: Output,
    context: ReviewContext,
  ): Promise<RequirementCoverage>;
}
