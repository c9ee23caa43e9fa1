import type { Criterion } from '../../blocks/reviewers/criterion.js';
import { ReviewLoopError } from '../../core/errors.js';
import { checkPlain, invalid } from '../../core/options.js';
import { scoreText } from '../../core/score-text.js';
import { readUsage } from '../../core/usage.js';
import { scorerErrors } from './errors.js';
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
      const given: Readonly<Record<string, object | undefined>> = { ...answers };
      return {
        answer: [...scores].map(([key, score]) => ({ key, ...score(given[key] ?? {}) })),
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

interface DecisionQuestion {
  readonly type: string;
  readonly criteria?: unknown;
}

/** An answer of the AI SDK's `experimental_decide`. */
interface DecisionAnswer {
  readonly type?: unknown;
  readonly probability?: unknown;
  readonly choice?: unknown;
  readonly score?: unknown;
  readonly probabilities?: unknown;
}

type GoodAnswer = boolean | string | readonly string[];

/** 1 is good. */
type ScoreDecision = (answer: DecisionAnswer) => ScoredResult;

function decisionScore(
  where: string,
  question: DecisionQuestion | undefined,
  good: GoodAnswer | undefined,
): ScoreDecision {
  switch (question?.type) {
    case 'boolean':
      return booleanScore(where, good);
    case 'choice':
      return choiceScore(where, question, good);
    case 'score':
      return levelScore(where, question, good);
    default:
      throw invalid(`the question ${where}`, 'of type boolean, choice or score', question);
  }
}

function booleanScore(where: string, good: GoodAnswer = true): ScoreDecision {
  if (typeof good !== 'boolean') throw invalid(`good of ${where}`, 'true or false', good);
  return ({ type, probability }) => {
    const yes = checked(where, type === 'boolean', probability);
    return { score: good ? yes : 1 - yes, comment: `yes ${scoreText(yes)}` };
  };
}

function choiceScore(
  where: string,
  { criteria }: DecisionQuestion,
  good: GoodAnswer | undefined,
): ScoreDecision {
  const options = Object.keys(typeof criteria === 'object' && criteria !== null ? criteria : {});
  const wanted: readonly unknown[] = Array.isArray(good) ? good : [good];
  const known = wanted.every((one) => typeof one === 'string' && options.includes(one));
  if (wanted.length === 0 || !known)
    throw invalid(`good of ${where}`, `one or more of ${options.join(', ')}`, good);
  return ({ type, choice, probabilities }) => {
    if (type !== 'choice' || typeof choice !== 'string' || !options.includes(choice))
      throw refused(where, choice);
    if (typeof probabilities !== 'object' || probabilities === null)
      return { score: wanted.includes(choice) ? 1 : 0, comment: choice };
    const shares = Object.entries(probabilities).map(
      ([option, share]) => [option, checked(where, true, share)] as const,
    );
    const sum = shares
      .filter(([option]) => wanted.includes(option))
      .reduce((total, [, share]) => total + share, 0);
    const text = shares.map(([option, share]) => `${option} ${scoreText(share)}`).join(', ');
    return { score: Math.min(1, sum), comment: `${choice} (${text})` };
  };
}

function levelScore(
  where: string,
  { criteria }: DecisionQuestion,
  good: GoodAnswer | undefined,
): ScoreDecision {
  if (good !== undefined)
    throw invalid(`good of ${where}`, 'absent: the last level is the best', good);
  if (!Array.isArray(criteria) || criteria.length < 2)
    throw invalid(`criteria of ${where}`, 'a list of at least two levels', criteria);
  const highest = criteria.length - 1;
  return ({ type, score }) => {
    const level = typeof score === 'number' ? score : Number.NaN;
    const share = checked(where, type === 'score', level / highest);
    return { score: share, comment: `level ${Math.round(level * 100) / 100} of ${highest}` };
  };
}

function checked(where: string, isOfType: boolean, share: unknown): number {
  if (!isOfType || typeof share !== 'number' || !(share >= 0 && share <= 1))
    throw refused(where, share);
  return share;
}

function refused(where: string, value: unknown): ReviewLoopError {
  return new ReviewLoopError(
    scorerErrors.scorer_invalid,
    `the model decided no valid answer to ${where}: ${JSON.stringify(value) ?? String(value)}`,
    { value, retryable: true },
  );
}
