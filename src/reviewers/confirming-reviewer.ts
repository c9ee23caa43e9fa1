import { type Assessment, isJudged } from '../core/assessment.js';
import { hashText } from '../core/hash.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkedAnswer } from '../core/reviewer-answer.js';
import { freshLook } from './second-opinion-context.js';

/** Whether two providers stand for the same judge: the same service and the same model. */
export function isSameModel(one: LLMProvider, other: LLMProvider | undefined): boolean {
  return other !== undefined && one.id === other.id && one.model === other.model;
}

/** How a reviewer becomes a confirming one. */
export interface Confirming {
  readonly id: string;
  readonly provider?: LLMProvider | undefined;
}

/** A reviewer as a confirming one, which reads everything and starts anew. */
export function confirming<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  { id, provider }: Confirming,
): Reviewer<Task, Output> {
  const { asks, scope } = reviewer;
  if (asks === undefined && scope !== undefined)
    throw invalid(
      `the scope of ${reviewer.id}`,
      'left out: a confirming judge reads the whole version',
      scope,
    );
  return asked(
    asks === undefined ? reviewer : asks.asking(provider ?? asks.provider, { whole: true }),
    id,
  );
}

function asked<Task, Output>(whole: Reviewer<Task, Output>, id: string): Reviewer<Task, Output> {
  const { withProvider, asks, fix } = whole;
  return {
    id,
    version: hashText(`confirm\u0000${whole.version}`).slice(0, 16),
    tier: 'confirm',
    fix,
    ...(withProvider && {
      withProvider: (provider: LLMProvider) => asked(withProvider(provider), id),
    }),
    ...(asks && {
      asks: {
        provider: asks.provider,
        asking: (provider, how) => asked(asks.asking(provider, how), id),
      },
    }),
    review: async (subject, context) => {
      const { assessments, proposal } = checkedAnswer(
        id,
        await whole.review(subject, freshLook(context, 'confirm')),
      );
      return {
        assessments: assessments.map((assessment) => renamed(assessment, whole.id, id)),
        proposal,
      };
    },
  };
}

/** The assessment as one of another reviewer, so that both can stand side by side. */
function renamed(assessment: Assessment, from: string, id: string): Assessment {
  const criterion = assessment.criterion === from ? id : `${id}/${assessment.criterion}`;
  if (!isJudged(assessment)) return { ...assessment, criterion };
  return {
    ...assessment,
    criterion,
    gaps: assessment.gaps.map((gap) => ({ ...gap, criterionId: criterion, raisedBy: id })),
  };
}
