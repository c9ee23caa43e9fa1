import { ReviewLoopError } from '../../core/errors.js';
import { invalid } from '../../core/options.js';
import { scoreText } from '../../core/score-text.js';
import { scorerErrors } from './errors.js';
import type { ScoredResult } from './from-scorer.js';

export interface DecisionQuestion {
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

export type GoodAnswer = boolean | string | readonly string[];

/** 1 is good. */
export type ScoreDecision = (answer: DecisionAnswer) => ScoredResult;

export function decisionScore(
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
