import { type Assessment, isJudged } from '../core/assessment.js';
import { decorate } from '../core/decorate-reviewer.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkedAnswer } from '../core/reviewer-answer.js';
import { secondOpinionContext } from './second-opinion-context.js';

/** Whether two providers are the same judge: the same service and the same model. */
export function isSameModel(one: LLMProvider, other: LLMProvider | undefined): boolean {
  return other !== undefined && one.id === other.id && one.model === other.model;
}

export interface ConfirmingOptions {
  readonly id: string;
  /** The model that confirms. @default the model of the reviewer */
  readonly provider?: LLMProvider | undefined;
}

/** Creates a confirming reviewer: it reads the whole output and sees no history. */
export function confirmingReviewer<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  { id, provider }: ConfirmingOptions,
): Reviewer<Task, Output> {
  const { asks, scope } = reviewer;
  if (asks === undefined && scope !== undefined)
    throw invalid(
      `the scope of ${reviewer.id}`,
      'left out: a confirming judge reads the whole version',
      scope,
    );
  return decorate(
    asks === undefined ? reviewer : asks.asking(provider ?? asks.provider, { whole: true }),
    {
      id,
      tier: 'confirm',
      tag: 'confirm',
      context: (context) => secondOpinionContext(context, 'confirm'),
      reply: async ({ reviewer: whole, answer }) => {
        const { assessments, proposal } = checkedAnswer(id, await answer());
        return {
          assessments: assessments.map((assessment) => renamed(assessment, whole.id, id)),
          proposal,
        };
      },
    },
  );
}

/** Returns an assessment under the id of another reviewer, so that a review can contain both. */
function renamed(assessment: Assessment, from: string, id: string): Assessment {
  const criterion = assessment.criterion === from ? id : `${id}/${assessment.criterion}`;
  if (!isJudged(assessment)) return { ...assessment, criterion };
  return {
    ...assessment,
    criterion,
    gaps: assessment.gaps.map((gap) => ({ ...gap, criterionId: criterion, raisedBy: id })),
  };
}
