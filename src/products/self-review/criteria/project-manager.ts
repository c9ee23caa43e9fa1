import { artifactCriterion } from '../../../blocks/criteria/artifact-criterion.js';
import { checkedPlanOptions } from '../../../blocks/criteria/plan/plan-criteria.js';
import {
  acceptanceRule,
  assignmentRule,
  complexityRule,
  dependencyRule,
  type PlanOptions,
} from '../../../blocks/criteria/plan/plan-rules.js';
import { plansOf } from '../../../blocks/criteria/plan/read-plans.js';
import { matchRequirement } from '../../../blocks/requirements/match.js';
import type { RequirementCoverage } from '../../../core/coverage.js';
import type { AgentOutput } from '../agent.js';
import type { ReviewContext, ReviewCriterion } from '../review-criterion.js';
import { BaseAgentReviewCriteria } from './base-agent-review-criteria.js';

/**
 * The criteria for a project manager's plan: acceptance criteria, dependencies, complexity,
 * assignment.
 */
export class ProjectManagerReviewCriteria extends BaseAgentReviewCriteria {
  agentId = 'project_manager';

  criteria: ReviewCriterion[];

  constructor(options: PlanOptions = {}) {
    super();
    const {
      acceptanceShare,
      assignedShare,
      complexityShare = 0,
      ...complexity
    } = checkedPlanOptions(options);
    this.criteria = [
      artifactCriterion({
        id: 'tasks_have_acceptance_criteria',
        ...acceptanceRule(acceptanceShare),
      }),
      artifactCriterion({ id: 'dependencies_valid', ...dependencyRule() }),
      artifactCriterion({
        id: 'balanced_complexity',
        ...complexityRule({ ...complexity, share: complexityShare }),
      }),
      artifactCriterion({ id: 'agents_assigned', ...assignmentRule(assignedShare) }),
    ];
  }

  /** Searches for a task or feature that covers the requirement. `evidenceLocation` is its id. */
  override async checkRequirementCovered(
    requirement: string,
    output: AgentOutput,
    _context: ReviewContext,
  ): Promise<RequirementCoverage> {
    const { plans } = await plansOf(output);
    const tasks = plans.flatMap((plan) => plan.tasks);
    const features = plans.flatMap((plan) => plan.features);
    const places = [
      ...tasks.map(({ id, title, description, acceptanceCriteria }) => ({
        id,
        title,
        file: id,
        text: [title, description, ...acceptanceCriteria].join('\n'),
      })),
      ...features.map(({ id, title, userStory }) => ({
        id,
        title,
        file: id,
        text: `${title}\n${userStory}`,
      })),
    ];
    const match = matchRequirement(requirement, places, { spread: Number.POSITIVE_INFINITY });
    const place = match.covered
      ? places.find(({ id, text }) => id === match.file && text.includes(match.evidence ?? ''))
      : undefined;
    return {
      requirement,
      source: this.sourceOf(requirement),
      covered: match.covered,
      coverageDetails:
        place === undefined
          ? 'No task or feature addresses this requirement'
          : `Covered by: ${place.title === '' ? place.id : place.title}`,
      ...(place !== undefined && place.id !== '' && { evidenceLocation: place.id }),
      confidence: match.covered ? 0.8 : requirement.trim() === '' ? 0 : 0.2,
    };
  }
}
