import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, invalid } from '../core/options.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkProvider } from '../model/answer/ask-options.js';
import { confirmingReviewer, isSameModel } from './confirming-reviewer.js';
import { wholeTask } from './whole-task.js';

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
