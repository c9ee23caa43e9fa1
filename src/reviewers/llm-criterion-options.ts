import type { CriterionOptions } from '../core/criterion.js';
import {
  call,
  checkRange,
  elsewhere,
  filled,
  flag,
  invalid,
  oneOf,
  required,
} from '../core/options.js';
import { checkCallOptions } from '../model/answer/ask-options.js';
import type { JudgeOptions } from './judge.js';

/** The questions of an {@link llmCriterion}, and the meaning of its failure. */
export type LlmCriterionOptions<Output> = Omit<CriterionOptions<Output>, 'tier'> &
  JudgeOptions & {
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
        /** A yes-or-no question; yes is good. */
        readonly question: string;
        readonly checklist?: undefined;
      }
    | {
        /** Several yes-or-no questions; yes is good. */
        readonly checklist: readonly [string, ...string[]];
        readonly question?: undefined;
      }
  );

/** The options of a judge beside those of its calls. */
export const judgeTable = { allowTruncated: flag, withTask: flag } as const;

const table = {
  ...{ id: required(filled('a non-empty string')), question: elsewhere(), checklist: elsewhere() },
  ...{ threshold: checkRange, severity: elsewhere(), category: elsewhere(), name: elsewhere() },
  ...{ description: elsewhere(), version: elsewhere(), scope: call, fix: elsewhere() },
  ...{ tier: oneOf('model', 'confirm'), ...judgeTable },
};

/** @throws ReviewLoopError `invalid_options` */
export function checkLlmCriterion<Output>(options: LlmCriterionOptions<Output>): void {
  checkCallOptions('llmCriterion', options, table);
  checkQuestions(options);
}

/**
 * Checks that either `question` or `checklist` is set, with non-empty strings.
 *
 * @throws ReviewLoopError `invalid_options`
 */
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
