import type { Criterion } from '../../blocks/reviewers/criterion.js';
import { checkPlain, invalid } from '../../core/options.js';
import { readUsage } from '../../core/usage.js';
import { type DecisionQuestion, decisionScore, type ScoreDecision } from './decision-scores.js';
import type { ScoredResult } from './from-scorer.js';
import { scorerCriterion } from './scorer-criterion.js';
import { checkScorerOptions, type ScorerOptions, type ScorerSubject } from './scorer-options.js';

export interface Decisions {
  readonly answers: object;
  readonly usage?:
    | {
        readonly inputTokens?: number | undefined;
        readonly outputTokens?: number | undefined;
        readonly totalTokens?: number | undefined;
      }
    | undefined;
}

/** Required for a choice, `true` for a boolean question that does not say. */
export type GoodAnswers<Questions> = {
  readonly [Key in keyof Questions]?: Questions[Key] extends {
    readonly type: 'choice';
    readonly criteria: infer Options;
  }
    ? (keyof Options & string) | readonly (keyof Options & string)[]
    : Questions[Key] extends { readonly type: 'boolean' }
      ? boolean
      : never;
};

export interface FromDecisionsOptions<Questions> extends ScorerOptions {
  /** The questions that were passed to `experimental_decide`. */
  readonly questions: Questions;
  /** The good answers. @default true for boolean questions; the last level of score questions is the best */
  readonly good?: GoodAnswers<Questions> | undefined;
}

/**
 * Creates a criterion from decisions of the AI SDK (`experimental_decide`, from version 7). Each question is one
 * criterion with the id `<id>/<question>`. Its score is the probability of the good answers, or the share of the
 * highest level, and passes from `threshold` on. A refusal, a missing answer and an invalid one are `errored`. What
 * the call reports as usage counts.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const polite = fromDecisions(
 *   ({ output, signal }: ScorerSubject<string, string>) =>
 *     experimental_decide({ model, state: output, questions, abortSignal: signal }),
 *   { id: 'polite', threshold: 0.8, version: 'gpt-6-luna/1', questions, good: { tone: 'kind' } },
 * );
 * ```
 */
export function fromDecisions<
  const Questions extends Readonly<Record<string, DecisionQuestion>>,
  Task = unknown,
  Output = unknown,
>(
  decide: (subject: ScorerSubject<Task, Output>) => PromiseLike<Decisions>,
  options: FromDecisionsOptions<Questions>,
): Criterion<Output, Task> {
  checkScorerOptions('fromDecisions', options, ['questions', 'good']);
  const { id, questions, good } = options;
  if (typeof decide !== 'function') throw invalid(`decide of ${id}`, 'a function', decide);
  const scores = scoresOf(id, questions, { ...good });
  return scorerCriterion<Task, Output>(
    async (subject) => {
      const { answers, usage } = await decide(subject);
      return {
        answer: answersOf(answers, scores),
        ...(usage !== undefined && { usage: readUsage(usage) }),
      };
    },
    { ...options, keys: Object.keys(questions) },
  );
}

/** Returns how each question is scored. @throws ReviewLoopError `invalid_options` */
function scoresOf(
  id: string,
  questions: Readonly<Record<string, DecisionQuestion>>,
  good: Readonly<Record<string, GoodAnswerOf>>,
): ReadonlyMap<string, ScoreDecision> {
  checkPlain(`questions of ${id}`, questions);
  const keys = Object.keys(questions);
  if (keys.length === 0) throw invalid(`questions of ${id}`, 'at least one question', questions);
  const stray = Object.keys(good).find((key) => !keys.includes(key));
  if (stray !== undefined) throw invalid(`good of ${id}`, `about ${keys.join(', ')}`, stray);
  return new Map(
    keys.map((key) => [key, decisionScore(`${id}/${key}`, questions[key], good[key])]),
  );
}

type GoodAnswerOf = Parameters<typeof decisionScore>[2];

function answersOf(answers: object, scores: ReadonlyMap<string, ScoreDecision>): ScoredResult[] {
  const given: Readonly<Record<string, object | undefined>> = { ...answers };
  return [...scores].map(([key, score]) => ({ key, ...score(given[key] ?? {}) }));
}
