import { type Assessment, isJudged } from '../../core/assessment.js';
import { decorate } from '../../core/decorate-reviewer.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, invalid } from '../../core/options.js';
import type { Reviewer } from '../../core/reviewer.js';
import { checkedAnswer } from '../../core/reviewer-answer.js';
import { checkProvider } from '../models/answer/ask-options.js';
import { llmCriterion } from './llm-criterion.js';
import { secondOpinionContext } from './second-opinion.js';

export interface ConfirmOptions<Task, Output> {
  /**
   * The models that confirm. Choose other model families than the judges.
   *
   * @default the models of the reviewers
   */
  readonly providers?: readonly LLMProvider[] | undefined;
  /**
   * The reviewers to ask once more.
   *
   * @default one question: does the output do everything that the task asks for?
   */
  readonly reviewers?: readonly Reviewer<Task, Output>[] | undefined;
  /** Whether a model may confirm its own verdicts. @default 'refuse' */
  readonly sameJudge?: 'refuse' | 'allow' | undefined;
}

/**
 * Creates confirming judges. They run last, and only while approval is possible. They read the
 * whole version and know neither history nor findings nor cached verdicts. One dissent blocks
 * approval and reopens the loop.
 *
 * After Cross-Context Review (a fresh context finds more) and the work on self-preference (a judge
 * favours its own family).
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = [clear, ...confirm({ reviewers: [clear], providers: [anotherModel] })];
 * ```
 */
export function confirm<Task = unknown, Output = unknown>(
  options: ConfirmOptions<Task, Output>,
): Reviewer<Task, Output>[] {
  checkKeys('confirm', options, ['providers', 'reviewers', 'sameJudge']);
  const { providers, sameJudge = 'refuse', reviewers = [wholeTask<Task, Output>()] } = options;
  if (options.providers === undefined && options.reviewers === undefined)
    throw invalid('confirm', '`providers`, `reviewers`, or both', options);
  if (!Array.isArray(reviewers) || reviewers.length === 0)
    throw invalid('reviewers', 'a non-empty list', reviewers);
  if (sameJudge !== 'refuse' && sameJudge !== 'allow')
    throw invalid('sameJudge', "'refuse' or 'allow'", sameJudge);
  if (providers === undefined)
    return reviewers.map((reviewer) =>
      confirmingReviewer(reviewer, { id: `confirm:${reviewer.id}` }),
    );
  if (!Array.isArray(providers) || providers.length === 0)
    throw invalid('providers', 'a non-empty list', providers);
  return providers.flatMap((provider: LLMProvider, index) => {
    checkProvider(provider);
    return reviewers.map((reviewer) => {
      if (reviewer.asks === undefined)
        throw invalid(
          'providers',
          `left out: ${reviewer.id} cannot ask another model`,
          provider.id,
        );
      if (sameJudge === 'refuse' && isSameModel(provider, reviewer.asks.provider)) {
        throw invalid(
          `the provider that confirms ${reviewer.id}`,
          "a model other than its own, or `sameJudge: 'allow'`",
          nameOf(provider),
        );
      }
      return confirmingReviewer(reviewer, {
        id: `confirm:${reviewer.id}${providers.length > 1 ? `:${index + 1}` : ''}`,
        provider,
      });
    });
  });
}

function nameOf({ id, model }: LLMProvider): string {
  return model === undefined ? id : `${id} ${model}`;
}

export function isSameModel(one: LLMProvider, other: LLMProvider | undefined): boolean {
  return other !== undefined && one.id === other.id && one.model === other.model;
}

export interface ConfirmingOptions {
  readonly id: string;
  /** The model that confirms. @default the model of the reviewer */
  readonly provider?: LLMProvider | undefined;
}

/** Reads the whole output and sees no history. */
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

/** Another id, so that a review can contain both. */
function renamed(assessment: Assessment, from: string, id: string): Assessment {
  const criterion = assessment.criterion === from ? id : `${id}/${assessment.criterion}`;
  if (!isJudged(assessment)) return { ...assessment, criterion };
  return {
    ...assessment,
    criterion,
    gaps: assessment.gaps.map((gap) => ({ ...gap, criterionId: criterion, raisedBy: id })),
  };
}

/** Asks whether the output does what the task asks for. */
export function wholeTask<Task, Output>(provider?: LLMProvider): Reviewer<Task, Output> {
  return llmCriterion<Output, Task>({
    id: 'task',
    question: 'Does the output do, completely and correctly, everything that the task asks for?',
    severity: 'major',
    description: 'The output does what the task asks for',
    provider,
  });
}
