import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkProvider } from '../model/answer/ask-options.js';
import { confirmingReviewer, isSameModel } from './confirming-reviewer.js';
import { llmCriterion } from './llm-criterion.js';

/** Who confirms, and by which questions. */
export interface ConfirmOptions<Task, Output> {
  /** Whom to ask; best of other families than the judges. @default whom the reviewers ask */
  readonly providers?: readonly LLMProvider[] | undefined;
  /** What is asked once more. @default one question: whether the output does, whole and right, what the task asks for */
  readonly reviewers?: readonly Reviewer<Task, Output>[] | undefined;
  /** What to do when a reviewer would be confirmed by the very model that it asks. @default 'refuse' */
  readonly sameJudge?: 'refuse' | 'allow' | undefined;
}

/**
 * Confirming judges (law 5): they are asked last, only while approval is possible, over the whole version, and know neither history
 * nor findings nor kept verdicts. One dissent of them blocks approval and reopens the loop. After Cross-Context Review (a fresh
 * context finds more) and the work on self-preference (a judge favours its own family).
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
    throw invalid('reviewers', 'a list that is not empty', reviewers);
  if (sameJudge !== 'refuse' && sameJudge !== 'allow')
    throw invalid('sameJudge', "'refuse' or 'allow'", sameJudge);
  if (providers === undefined)
    return reviewers.map((reviewer) =>
      confirmingReviewer(reviewer, { id: `confirm:${reviewer.id}` }),
    );
  if (!Array.isArray(providers) || providers.length === 0)
    throw invalid('providers', 'a list that is not empty', providers);
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
          "another one than it asks itself, or `sameJudge: 'allow'`",
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

function wholeTask<Task, Output>(): Reviewer<Task, Output> {
  return llmCriterion<Output, Task>({
    id: 'task',
    question: 'Does the output do, completely and correctly, everything that the task asks for?',
    severity: 'major',
    description: 'The output does what the task asks for',
  });
}
