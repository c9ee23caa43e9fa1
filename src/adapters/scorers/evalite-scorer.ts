import { checkKeys } from '../../core/options.js';
import { knownScore, type ReviewScoreMetadata, type ScoredBy } from './review-score.js';
import { type ScoredCase, type TaskOfCase, type ToScorerOptions, toScorer } from './to-scorer.js';

export interface EvaliteScorerOptions extends ToScorerOptions {
  /** Shown beside the score. @default none */
  readonly description?: string | undefined;
}

/** What `scorers` and `createScorer` of evalite take. */
export interface EvaliteScorer<Input, Output, Expected = unknown> {
  readonly name: string;
  readonly description?: string;
  /** Scores an output. */
  readonly scorer: (
    given: ScoredCase<Input, Output, Expected>,
  ) => Promise<{ readonly score: number; readonly metadata: ReviewScoreMetadata }>;
}

/**
 * Creates a scorer for evalite from a pipeline, or from a list of criteria. evalite counts `null` as 0. So the scorer
 * throws if nobody could tell, and the case fails with the reason.
 *
 * @throws ReviewLoopError `invalid_options`, and the codes of `definePipeline`
 * @example
 * ```ts
 * evalite('articles', { data, task: write, scorers: [evaliteScorer(article)] });
 * ```
 */
export function evaliteScorer<Task, Output, Input, Expected = unknown>(
  judge: ScoredBy<Task, Output>,
  options: EvaliteScorerOptions & TaskOfCase<Task, Input, Output, Expected>,
): EvaliteScorer<Input, Output, Expected>;
export function evaliteScorer<Task, Output>(
  judge: ScoredBy<Task, Output>,
  options?: EvaliteScorerOptions,
): EvaliteScorer<Task, Output>;
export function evaliteScorer<Task, Output>(
  judge: ScoredBy<Task, Output>,
  options: EvaliteScorerOptions & Partial<TaskOfCase<Task, Task, Output, unknown>> = {},
): EvaliteScorer<Task, Output> {
  checkKeys('evaliteScorer', options, ['name', 'score', 'task', 'description']);
  const { description, task = ({ input }) => input, ...rest } = options;
  const scorer = toScorer(judge, { ...rest, task });
  return {
    name: options.name ?? 'reviewloop',
    ...(description !== undefined && { description }),
    scorer: async (given) => {
      const scored = await scorer(given);
      return { score: knownScore(scored), metadata: scored.metadata };
    },
  };
}
