import type { RequirementCoverage } from '@/core/coverage.js';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  llmCriterion,
  type ReviewCriterion,
} from '@/index.js';
import { checklistJudge } from '../../../support/checklist-judge.js';

/** What a criterion learns about a first review. */
export const context = { previous: [], previousOutputs: [], previousReviews: [] };

export const coverageOf = (requirement: string, covered: boolean): RequirementCoverage => ({
  ...{ requirement, source: 'explicit', covered, coverageDetails: '', confidence: 1 },
});

/** Criteria of an agent, with requirements and whether an output covers them. */
export function agentCriteria<Output = AgentOutput, Request = AgentRequest>(
  criteria: ReviewCriterion<Output, Request>[],
  requirements: Readonly<Record<string, boolean>> = {},
): AgentReviewCriteria<Output, Request> {
  return {
    agentId: 'writer',
    criteria,
    extractRequirements: async () => Object.keys(requirements),
    checkRequirementCovered: async (requirement) =>
      coverageOf(requirement, requirements[requirement] ?? false),
  };
}

/** A question to a model, and a model that answers it by looking for a word that needs an explanation. */
export const explained = llmCriterion<AgentOutput, AgentRequest>({
  id: 'clear',
  question: 'Does it explain every term?',
});
export const judgeOf = (id: string) =>
  checklistJudge([{ question: /explain/, found: /oolong/, reason: 'oolong is not explained' }], {
    id,
  });
