import type { KnownFiles } from '../../../blocks/criteria/files/known-files.js';
import type { RequirementSource } from '../../../blocks/reviewers/covered-requirement.js';
import type { CoverageModel } from '../../../blocks/reviewers/model-coverage.js';
import { requirementCoverage } from '../../../blocks/reviewers/requirement-coverage.js';
import type { CriterionContext, RequirementDecider } from '../../../core/criterion.js';
import type { AllowedSecret } from '../../../core/redact/allowed-secrets.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { agentReviewers } from '../../../products/self-review/agent-reviewers.js';
import { BaseAgentReviewCriteria } from '../../../products/self-review/criteria/base-agent-review-criteria.js';
import type {
  AgentReviewCriteria,
  ReviewCriterion,
} from '../../../products/self-review/review-criterion.js';
import type { CriteriaName } from '../../config/config.js';
import type { FileReviewer } from '../inputs/read-inputs.js';
import { readFromTask } from '../inputs/read-task.js';

export interface CriteriaSet {
  readonly name: string;
  readonly reviewers: readonly FileReviewer[];
  readonly why?: string | undefined;
}

const completeness = 0.9;

type SetName =
  | Exclude<CriteriaName, 'auto' | 'accepted' | 'page' | 'code-lint' | 'spelling'>
  | 'requirements';

/** Each loads the parsers that it needs, too. */
const reviewersIn: Readonly<
  Record<
    SetName,
    (how: RequirementsOptions, files?: KnownFiles) => Promise<readonly FileReviewer[]>
  >
> = {
  html: async (_, files) =>
    (await import('../../../blocks/criteria/html/html-criteria.js')).htmlCriteria({ files }),
  css: async () => (await import('../../../blocks/criteria/css/css-criteria.js')).cssCriteria(),
  plan: async () => (await import('../../../blocks/criteria/plan/plan-criteria.js')).planCriteria(),
  text: async ({ allowedSecrets }) =>
    (await import('../../../blocks/criteria/text/text-criteria.js')).textCriteria({
      allowedSecrets,
    }),
  code: async ({ allowedSecrets }) =>
    (await import('../../../blocks/criteria/code/code-criteria.js')).codeCriteria({
      allowedSecrets,
    }),
  'ui-designer': async (how) => {
    const designer = await import('../../../products/self-review/criteria/ui-designer.js');
    return reviewersOf(new designer.UIDesignerReviewCriteria(), how);
  },
  'project-manager': async (how) => {
    const manager = await import('../../../products/self-review/criteria/project-manager.js');
    return reviewersOf(new manager.ProjectManagerReviewCriteria(), how);
  },
  requirements: async (how) => [requirementsReviewer(how)],
};

/** @param files - The files beside the pages. @default unknown */
export async function criteriaSet(
  name: SetName,
  how: RequirementsOptions,
  files?: KnownFiles,
): Promise<CriteriaSet> {
  return { name, reviewers: await reviewersIn[name](how, files) };
}

/**
 * The coverage of requirements is included.
 *
 * @param how - How requirements are judged. @default as the criteria judge them
 */
export function reviewersOf(
  criteria: AgentReviewCriteria,
  how: Pick<RequirementsOptions, 'judge'> & Partial<RequirementsOptions>,
): FileReviewer[] {
  return agentReviewers(criteria, completeness, how.judge, how);
}

export const requirementsId = 'requirements';

export interface RequirementsOptions {
  readonly judge: CoverageModel | undefined;
  readonly words: 'decide' | 'hint';
  readonly deciders: readonly RequirementDecider<AgentOutput>[];
  /** Where the requirements come from. @default the text of the task */
  readonly source?: RequirementSource<AgentRequest> | undefined;
  /** Lines that look like secrets and are allowed. @default [] */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
}

class WordMatcher extends BaseAgentReviewCriteria {
  override agentId = 'files';
  override criteria: ReviewCriterion[] = [];
}

function requirementsReviewer({
  judge,
  words,
  deciders,
  source = readFromTask,
}: RequirementsOptions): FileReviewer {
  const matcher = new WordMatcher();
  return requirementCoverage<AgentOutput, AgentRequest>({
    extractRequirements: source,
    checkRequirementCovered: (requirement, output, context: CriterionContext) =>
      matcher.checkRequirementCovered(requirement, output, {
        ...context,
        previousOutputs: [],
        previousReviews: [],
      }),
    words,
    deciders,
    judge,
    version: 'words-2',
  });
}
