import type { RequirementCoverage } from '../core/coverage.js';
import type { CriterionContext, CriterionResult } from '../core/criterion.js';
import type { GapCategory } from '../core/gap.js';
import type { Reviewer } from '../core/reviewer.js';
import type { Severity } from '../core/severity.js';
import type { AgentOutput, AgentRequest } from './agent.js';
import type { SelfReviewResult } from './self-review-result.js';

/** What an agent's criteria receive beside output and request. */
export interface SelfReviewContext extends CriterionContext {
  /** What earlier tasks produced, as the request says. */
  readonly previousOutputs: AgentOutput[];
  /** The finished reviews of this run as records, the oldest first; empty for a criterion with a `scope`, whose verdict may be reused. */
  readonly previousReviews: SelfReviewResult[];
}

/** One check of seed 004. */
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
    context: SelfReviewContext,
  ) => Promise<CriterionResult>;
  /** As in {@link CriterionOptions}. @default a hash of the function's text */
  readonly version?: string | undefined;
  /** What it reads, in the place of the output, as a reviewer's `scope`. @default everything */
  readonly scope?: Reviewer<Request, Output>['scope'];
  /** Repairs one gap without guessing, as a reviewer's `fix`. */
  readonly fix?: Reviewer<Request, Output>['fix'];
  /** Judges in the place of `validate` where there is an engine; for criteria that make calls and steps of their own. */
  readonly reviewer?: Reviewer<Request, Output> | undefined;
}

/** The criteria of one kind of agent, and how it reads requirements (seed 004). */
export interface AgentReviewCriteria<Output = AgentOutput, Request = AgentRequest> {
  agentId: string;
  /** Of how it reads requirements and their coverage; as in {@link CriterionOptions}. @default a hash of the functions' texts */
  readonly version?: string | undefined;
  criteria: ReviewCriterion<Output, Request>[];
  /** The requirements that a request states or implies, each once. */
  extractRequirements(request: Request): Promise<string[]>;
  /** Whether an output covers one of them. */
  checkRequirementCovered(
    requirement: string,
    output: Output,
    context: SelfReviewContext,
  ): Promise<RequirementCoverage>;
}
