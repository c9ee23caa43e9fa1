import type { CriterionContext, RequirementDecider } from '../../core/criterion.js';
import type { AllowedSecret } from '../../redact/allowed-secrets.js';
import type { RequirementSource } from '../../reviewers/covered-requirement.js';
import type { CoverageModel } from '../../reviewers/model-coverage.js';
import { requirementCoverage } from '../../reviewers/requirement-coverage.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import { BaseAgentReviewCriteria } from '../../self-review/criteria/base-agent-review-criteria.js';
import type { ReviewCriterion } from '../../self-review/review-criterion.js';
import type { FileReviewer } from '../inputs/file-reviewer.js';
import { readFromTask } from '../inputs/read-task.js';

/** The id of the reviewer that judges the requirements of the task. */
export const requirementsId = 'requirements';

/** How the requirements of a task are judged. */
export interface RequirementsOptions {
  /** The model that judges what no check decides. */
  readonly judge: CoverageModel | undefined;
  /** Whether a match of words decides, or is a hint. */
  readonly words: 'decide' | 'hint';
  /** Checks that decide requirements. */
  readonly deciders: readonly RequirementDecider<AgentOutput>[];
  /** Where the requirements come from. @default the text of the task */
  readonly source?: RequirementSource<AgentRequest> | undefined;
  /** Lines that look like secrets and are allowed. @default [] */
  readonly allowedSecrets?: readonly AllowedSecret[] | undefined;
}

/** Finds where an output speaks of a requirement. */
class WordMatcher extends BaseAgentReviewCriteria {
  override agentId = 'files';
  override criteria: ReviewCriterion[] = [];
}

export function requirementsReviewer({
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
