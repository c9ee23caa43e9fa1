import { invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { explicitRequirements } from '../requirements/explicit-requirements.js';
import { taskTextOf } from '../requirements/task-text.js';
import type { CoverageJudge } from '../reviewers/coverage-options.js';
import type { CoverageModel } from '../reviewers/model-coverage.js';
import { requirementCoverageIn } from '../reviewers/requirement-coverage.js';
import { agentContext, isAgentRequest } from './agent-context.js';
import { reviewerOf } from './criterion-reviewer.js';
import type {
  AgentReviewCriteria,
  ReviewCriterion,
  SelfReviewContext,
} from './review-criterion.js';

/** The criteria of an agent with their coverage of requirements, or bare criteria. */
export type GivenCriteria<Output, Request> =
  | AgentReviewCriteria<Output, Request>
  | readonly ReviewCriterion<Output, Request>[];

const mandatoryWords = /\b(must|shall|required)\b/i;

/** The reviewers that seed 004's criteria are: one for each criterion, and one for the requirements. */
export function agentReviewers<Output, Request>(
  given: GivenCriteria<Output, Request>,
  completenessThreshold: number,
  judge?: CoverageJudge<Output, Request> | CoverageModel,
): Reviewer<Request, Output>[] {
  if (typeof given !== 'object' || given === null)
    throw invalid('criteria', 'an AgentReviewCriteria or an array of criteria', given);
  const agentId = agentIdOf(given);
  if (isList(given)) return given.map((criterion) => reviewerOf(criterion, agentId));
  if (!Array.isArray(given.criteria))
    throw invalid('criteria.criteria', 'an array of criteria', given.criteria);
  const coverage = requirementCoverageIn<Output, Request, SelfReviewContext>(
    {
      extractRequirements: (request) => given.extractRequirements(request),
      checkRequirementCovered: (requirement, output, context) =>
        given.checkRequirementCovered(requirement, output, context),
      mandatory: async (requirement, request) =>
        mandatoryWords.test(requirement) ||
        acceptance(request).includes(requirement) ||
        (await binding(request)).has(requirement),
      threshold: completenessThreshold,
      version: given.version,
      judge,
    },
    agentContext(agentId),
  );
  return [...given.criteria.map((criterion) => reviewerOf(criterion, agentId)), coverage];
}

/** The id of the agent whose criteria these are. */
export function agentIdOf<Output, Request>(given: GivenCriteria<Output, Request>): string {
  return isList(given) ? 'agent' : given.agentId;
}

function isList<Output, Request>(
  given: GivenCriteria<Output, Request>,
): given is readonly ReviewCriterion<Output, Request>[] {
  return Array.isArray(given);
}

/** What the task's text puts as a MUST, or as a criterion of acceptance, without saying so in each sentence. */
async function binding(request: unknown): Promise<ReadonlySet<string>> {
  const text = taskTextOf(request);
  if (lastBinding?.text !== text)
    lastBinding = {
      text,
      found: explicitRequirements(text).then(
        (found) =>
          new Set(found.filter(({ strength }) => strength === 'MUST').map((entry) => entry.text)),
      ),
    };
  return lastBinding.found;
}

/** Of the newest task: every requirement of it asks. */
let lastBinding:
  | { readonly text: string; readonly found: Promise<ReadonlySet<string>> }
  | undefined;

function acceptance(request: unknown): readonly string[] {
  return isAgentRequest(request)
    ? (request.context.task.acceptanceCriteria ?? []).map((criterion) => criterion.trim())
    : [];
}
