import { explicitRequirements } from '../../blocks/requirements/explicit-requirements.js';
import { taskTextOf } from '../../blocks/requirements/task-text.js';
import type {
  CoverageJudge,
  RequirementCoverageOptions,
  RequirementSource,
} from '../../blocks/reviewers/covered-requirement.js';
import type { CoverageModel } from '../../blocks/reviewers/model-coverage.js';
import { requirementCoverageIn } from '../../blocks/reviewers/requirement-coverage.js';
import { call, checkList, invalid } from '../../core/options.js';
import type { Reviewer } from '../../core/reviewer.js';
import { agentContext, isAgentRequest, reviewerOf } from './agent-context.js';
import type { AgentReviewCriteria, ReviewContext, ReviewCriterion } from './review-criterion.js';

/** The criteria of an agent with its requirements, or only a list of criteria. */
export type GivenCriteria<Output, Request> =
  | AgentReviewCriteria<Output, Request>
  | readonly ReviewCriterion<Output, Request>[];

export interface RequirementJudging<Output, Request>
  extends Pick<RequirementCoverageOptions<Output, Request>, 'words' | 'deciders'> {
  /** The requirements to judge. @default those that the criteria extract */
  readonly source?: RequirementSource<Request> | undefined;
}

const mandatoryWords = /\b(must|shall|required)\b/i;

/**
 * One for each criterion, and one for the requirements.
 *
 * @param judging - How requirements are judged, and which. @default as the criteria do
 */
export function agentReviewers<Output, Request>(
  given: GivenCriteria<Output, Request>,
  completenessThreshold: number,
  judge?: CoverageJudge<Output, Request> | CoverageModel,
  { words, deciders, source }: RequirementJudging<Output, Request> = {},
): Reviewer<Request, Output>[] {
  const agentId = agentIdOf(given);
  const criteria = isList(given) ? given : given.criteria;
  checkList(isList(given) ? 'criteria' : 'criteria.criteria', criteria);
  for (const [index, one] of criteria.entries())
    if (!one?.reviewer) call(`criteria[${index}].validate`, one?.validate);
  const reviewers = criteria.map((criterion) => reviewerOf(criterion, agentId));
  if (isList(given)) return reviewers;
  for (const method of ['extractRequirements', 'checkRequirementCovered'])
    call(`criteria.${method}`, Reflect.get(given, method));
  const coverage = requirementCoverageIn<Output, Request, ReviewContext>(
    {
      extractRequirements: source ?? ((request: Request) => given.extractRequirements(request)),
      checkRequirementCovered: (requirement, output, context) =>
        given.checkRequirementCovered(requirement, output, context),
      ...(source === undefined && { mandatory: isMandatory }),
      threshold: completenessThreshold,
      version: given.version,
      judge,
      words,
      deciders,
    },
    agentContext(agentId),
  );
  return [...reviewers, coverage];
}

async function isMandatory(requirement: string, request: unknown): Promise<boolean> {
  return (
    mandatoryWords.test(requirement) ||
    acceptance(request).includes(requirement) ||
    (await mandatoryIn(request)).has(requirement)
  );
}

export function agentIdOf<Output, Request>(given: GivenCriteria<Output, Request>): string {
  if (typeof given !== 'object' || given === null)
    throw invalid('criteria', 'an AgentReviewCriteria or a list', given);
  return isList(given) ? 'agent' : given.agentId;
}

function isList<Output, Request>(
  given: GivenCriteria<Output, Request>,
): given is readonly ReviewCriterion<Output, Request>[] {
  return Array.isArray(given);
}

async function mandatoryIn(request: unknown): Promise<ReadonlySet<string>> {
  const text = taskTextOf(request);
  if (lastMandatory?.text !== text)
    lastMandatory = {
      text,
      found: explicitRequirements(text).then(
        (found) =>
          new Set(found.filter(({ strength }) => strength === 'MUST').map((entry) => entry.text)),
      ),
    };
  return lastMandatory.found;
}

/** Caches the newest task, because each of its requirements needs this set. */
let lastMandatory:
  | { readonly text: string; readonly found: Promise<ReadonlySet<string>> }
  | undefined;

function acceptance(request: unknown): readonly string[] {
  return isAgentRequest(request)
    ? (request.context.task.acceptanceCriteria ?? []).map((criterion) => criterion.trim())
    : [];
}
