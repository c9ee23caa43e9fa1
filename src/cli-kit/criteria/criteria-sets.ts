import type { CriteriaName } from '../../config/config.js';
import type { RequirementSource } from '../../reviewers/coverage-options.js';
import type { CoverageModel } from '../../reviewers/model-coverage.js';
import type { AgentRequest } from '../../self-review/agent.js';
import { agentReviewers } from '../../self-review/agent-reviewers.js';
import { BaseAgentReviewCriteria } from '../../self-review/criteria/base-agent-review-criteria.js';
import type { AgentReviewCriteria, ReviewCriterion } from '../../self-review/review-criterion.js';
import type { FileReviewer } from '../inputs/file-reviewer.js';
import { readFromTask } from '../inputs/task-requirements.js';

/** A set of criteria with the name that the run shows. */
export interface CriteriaSet {
  readonly name: string;
  readonly reviewers: readonly FileReviewer[];
  /** Why it was chosen, if the user did not name it. */
  readonly why?: string | undefined;
}

/** The share of requirements that must be covered, as in the default policy. */
const completeness = 0.9;

/** Criteria that only check the coverage of the task's requirements. */
class FileCriteria extends BaseAgentReviewCriteria {
  override agentId = 'files';
  override criteria: ReviewCriterion[] = [];
}

/** How the coverage of requirements is judged. */
export interface CoverageSettings {
  /** The model that decides unsure requirements. @default none */
  readonly judge?: CoverageModel | undefined;
  /** The requirements to judge. @default those that the criteria read from the task */
  readonly requirements?: RequirementSource<AgentRequest> | undefined;
}

/** Loads a set of criteria with the parsers that it needs. */
export async function criteriaSet(
  name: Exclude<CriteriaName, 'auto' | 'accepted'> | 'requirements',
  options: CoverageSettings = {},
): Promise<CriteriaSet> {
  switch (name) {
    case 'html':
      return { name, reviewers: (await import('../../criteria/html/index.js')).htmlCriteria() };
    case 'css':
      return { name, reviewers: (await import('../../criteria/css/index.js')).cssCriteria() };
    case 'plan':
      return { name, reviewers: (await import('../../criteria/plan/index.js')).planCriteria() };
    case 'text':
      return { name, reviewers: (await import('../../criteria/text/index.js')).textCriteria() };
    case 'code':
      return { name, reviewers: (await import('../../criteria/code/index.js')).codeCriteria() };
    case 'ui-designer':
      return {
        name,
        reviewers: reviewersOf(
          new (
            await import('../../self-review/criteria/ui-designer.js')
          ).UIDesignerReviewCriteria(),
          options,
        ),
      };
    case 'project-manager':
      return {
        name,
        reviewers: reviewersOf(
          new (
            await import('../../self-review/criteria/project-manager.js')
          ).ProjectManagerReviewCriteria(),
          options,
        ),
      };
    case 'requirements':
      return {
        name,
        reviewers: reviewersOf(new FileCriteria(), {
          ...options,
          requirements: options.requirements ?? readFromTask,
        }),
      };
  }
}

/** Returns reviewers for the criteria of an agent, including the coverage of requirements. */
export function reviewersOf(
  criteria: AgentReviewCriteria,
  { judge, requirements }: CoverageSettings = {},
): FileReviewer[] {
  return agentReviewers(criteria, completeness, judge, requirements);
}
