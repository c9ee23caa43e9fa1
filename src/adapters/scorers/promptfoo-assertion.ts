import { checkKeys, invalid } from '../../core/options.js';
import {
  knownScore,
  type ReviewScoreMetadata,
  type ScoredBy,
  type ScoredCriterion,
  type ScoreOf,
} from './review-score.js';
import { type ScoredCase, toScorer } from './to-scorer.js';

export interface PromptfooContext {
  /** The rendered prompt. */
  readonly prompt: string | undefined;
  /** The variables of the test. */
  readonly vars: Readonly<Record<string, unknown>>;
}

export interface PromptfooAssertionOptions<Task> {
  /** Returns the task of the review. @default the rendered prompt */
  readonly task: (context: PromptfooContext) => Task;
  /** The name in errors. @default 'reviewloop' */
  readonly name?: string | undefined;
  /** What the score is. `pass` is the approval in any case. @default 'approval' */
  readonly score?: ScoreOf | undefined;
}

export interface PromptfooOutputOptions<Task, Output> extends PromptfooAssertionOptions<Task> {
  /** Returns what is reviewed. @default the output of the provider as text */
  readonly output: (text: string) => Output;
}

export interface PromptfooResult {
  pass: boolean;
  score: number;
  reason: string;
  componentResults: { pass: boolean; score: number; reason: string }[];
  namedScores: Record<string, number>;
  metadata: { reviewloop: ReviewScoreMetadata };
}

/** A `javascript` assertion of promptfoo. */
export type PromptfooAssertion = (
  output: string,
  context: PromptfooContext,
) => Promise<PromptfooResult>;

/**
 * Creates a `javascript` assertion for promptfoo from a pipeline, or from a list of criteria. Each criterion that
 * passed or failed is a component. promptfoo has no unknown result. So the assertion throws if nobody could tell:
 * from a file (`file://assert.mjs`) promptfoo shows `[ERROR]`, inline it shows a failure with the message.
 *
 * @throws ReviewLoopError `invalid_options`, and the codes of `definePipeline`
 * @example
 * ```ts
 * export default promptfooAssertion(article, { task: ({ vars }) => String(vars['topic']) });
 * ```
 */
export function promptfooAssertion(
  judge: ScoredBy<string, string>,
  options?: Partial<PromptfooAssertionOptions<string>>,
): PromptfooAssertion;
export function promptfooAssertion<Task>(
  judge: ScoredBy<Task, string>,
  options: PromptfooAssertionOptions<Task>,
): PromptfooAssertion;
export function promptfooAssertion<Task, Output>(
  judge: ScoredBy<Task, Output>,
  options: PromptfooOutputOptions<Task, Output>,
): PromptfooAssertion;
export function promptfooAssertion<Task>(
  judge: ScoredBy<Task | string, string>,
  options: Partial<PromptfooOutputOptions<Task, string>> = {},
): PromptfooAssertion {
  checkKeys('promptfooAssertion', options, ['name', 'score', 'task', 'output']);
  const { task = promptOf, output = (text: string) => text, ...about } = options;
  for (const [name, part] of Object.entries({ task, output }))
    if (typeof part !== 'function') throw invalid(name, 'a function', part);
  const scorer = toScorer(judge, {
    ...about,
    task: ({ input }: ScoredCase<PromptfooContext, string>) => task(input),
  });
  return async (text, context) => {
    const scored = await scorer({ input: context, output: output(text) });
    const judged = scored.metadata.criteria.filter(hasScore);
    return {
      pass: scored.metadata.approved === true,
      score: knownScore(scored),
      reason: scored.metadata.rationale,
      componentResults: judged.map(({ criterion, verdict, score, text: why }) => ({
        pass: verdict === 'pass',
        score,
        reason: why === '' ? criterion : `${criterion}: ${why}`,
      })),
      namedScores: Object.fromEntries(judged.map(({ criterion, score }) => [criterion, score])),
      metadata: { reviewloop: scored.metadata },
    };
  };
}

function promptOf({ prompt }: PromptfooContext): string {
  if (prompt === undefined)
    throw invalid('task', 'a function, because promptfoo gave no prompt', prompt);
  return prompt;
}

function hasScore(
  criterion: ScoredCriterion,
): criterion is ScoredCriterion & { readonly score: number } {
  return criterion.score !== undefined;
}
