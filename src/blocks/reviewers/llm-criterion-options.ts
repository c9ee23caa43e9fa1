import type { CriterionOptions } from '../../core/criterion.js';
import {
  call,
  checkRange,
  checkWhole,
  elsewhere,
  filled,
  flag,
  invalid,
  oneOf,
  required,
  whole,
} from '../../core/options.js';
import { checkCallOptions } from '../models/answer/ask-options.js';
import type { JudgeOptions } from './judge.js';
import type { GradeBar } from './judge-answer.js';

/** Options of what is graded, on a scale from 1 up. */
export interface GradeOptions {
  /**
   * The best grade, from 2 to 100: the judge answers with a grade instead of yes or no. It is told the
   * scale and not the bar.
   *
   * @default undefined yes or no
   */
  readonly scale?: number | undefined;
  /** The least grade that passes. @default 6 of 10; 7 of 10 under the preset `autonomous` */
  readonly passFrom?: number | undefined;
}

export const gradeTable = { scale: whole(2, 100), passFrom: whole(1) } as const;

/** Undefined without a scale. */
export function checkedBar(
  id: string,
  { scale, passFrom, threshold }: GradeOptions & { readonly threshold?: unknown },
): GradeBar | undefined {
  if (scale === undefined && passFrom === undefined) return undefined;
  if (scale === undefined) throw invalid(`passFrom of ${id}`, 'left out without `scale`', passFrom);
  gradeTable.scale(`scale of ${id}`, scale);
  if (passFrom !== undefined) checkWhole(`passFrom of ${id}`, passFrom, 1, scale);
  if (threshold !== undefined)
    throw invalid(`threshold of ${id}`, 'left out with `scale`: `passFrom` is the bar', threshold);
  return { scale, passFrom: passFrom ?? barAt(usualBar, scale) };
}

const usualBar = 0.6;

export function barAt(share: number, scale: number): number {
  return Math.max(1, Math.round(share * scale));
}

/** The questions of an {@link llmCriterion}, and the meaning of its failure. */
export type LlmCriterionOptions<Output> = Omit<CriterionOptions<Output>, 'tier'> &
  JudgeOptions &
  GradeOptions & {
    /** Unique in a pipeline; part of every gap's identity. */
    readonly id: string;
    /** The share of questions whose answer must be yes, 0 to 1. @default 1 */
    readonly threshold?: number | undefined;
    /**
     * `confirm` runs last, only while approval is possible, and ignores cached verdicts.
     *
     * @default 'model'
     */
    readonly tier?: 'model' | 'confirm' | undefined;
  } & (
    | {
        /** A yes-or-no question; yes is good. With `scale`, what is graded. */
        readonly question: string;
        readonly checklist?: undefined;
      }
    | {
        /** Several yes-or-no questions; yes is good. With `scale`, the lowest grade counts. */
        readonly checklist: readonly [string, ...string[]];
        readonly question?: undefined;
      }
  );

export const judgeTable = { allowTruncated: flag, withTask: flag } as const;

const table = {
  ...{ id: required(filled('a non-empty string')), question: elsewhere(), checklist: elsewhere() },
  ...{ threshold: checkRange, severity: elsewhere(), category: elsewhere(), name: elsewhere() },
  ...{ description: elsewhere(), version: elsewhere(), scope: call, fix: elsewhere() },
  ...{ tier: oneOf('model', 'confirm'), ...judgeTable, ...gradeTable },
};

export function checkLlmCriterion<Output>(options: LlmCriterionOptions<Output>): void {
  checkCallOptions('llmCriterion', options, table);
  checkQuestions(options);
  checkedBar(options.id, options);
}

export function checkQuestions({
  id,
  question,
  checklist,
}: {
  readonly id: string;
  readonly question?: unknown;
  readonly checklist?: unknown;
}): void {
  if ((question === undefined) === (checklist === undefined))
    throw invalid(`the question of ${id}`, '`question`, or else `checklist`', question);
  const questions: unknown = checklist ?? [question];
  const usable =
    Array.isArray(questions) &&
    questions.length > 0 &&
    questions.every((text) => typeof text === 'string' && text.trim() !== '');
  if (!usable) throw invalid(`the questions of ${id}`, 'non-empty strings', questions);
}
