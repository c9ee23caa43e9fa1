import { taskText } from '../../../blocks/address/address-prompt.js';
import { checkProvider } from '../../../blocks/models/answer/ask-options.js';
import { sectionsOf } from '../../../blocks/models/prompt/sections.js';
import { assess } from '../../../blocks/reviewers/from-criterion.js';
import { judge } from '../../../blocks/reviewers/judge.js';
import { resultOfVerdicts } from '../../../blocks/reviewers/judge-answer.js';
import { judgePromptVersion } from '../../../blocks/reviewers/judge-prompt.js';
import {
  checkedBar,
  checkQuestions,
  type GradeOptions,
} from '../../../blocks/reviewers/llm-criterion-options.js';
import type { Assessment } from '../../../core/assessment.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { GapSeveritySchema, type Severity } from '../../../core/gap.js';
import { digestOf } from '../../../core/json.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import {
  call,
  checkTable,
  elsewhere,
  filled,
  fits,
  invalid,
  required,
} from '../../../core/options.js';
import type { Reviewer } from '../../../core/reviewer.js';
import {
  levelOfIssues,
  levelRank,
  type QualityLevel,
  QualityLevelSchema,
  scoreOfLevel,
} from '../quality-level.js';

export type DimensionOptions<Task, Output> = GradeOptions & {
  /** The id, unique in a pipeline. */
  readonly id: string;
  /** The model that judges. @default the pipeline's provider */
  readonly provider?: LLMProvider | undefined;
  /** The level that an output must reach to pass; `poor` is not allowed. @default 'good' */
  readonly threshold?: QualityLevel | undefined;
  /** The severity of every finding. @default the severity that the judge reports */
  readonly severity?: Severity | undefined;
  /** Selects the part that the judge sees. @default the whole output */
  readonly scope?:
    | ((subject: { readonly task: Task; readonly output: Output }) => unknown)
    | undefined;
} & (
    | {
        /** A yes-or-no question; `yes` is good. */
        readonly question: string;
        readonly checklist?: never;
      }
    | {
        readonly question?: never;
        /** Several yes-or-no questions. */
        readonly checklist: readonly [string, ...string[]];
      }
  );

/**
 * Creates a reviewer of any output: a model answers yes-or-no questions, and code computes a
 * quality level from the answers.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const checklist = ['Is it polite?', 'Is it free of jargon?'] as const;
 * const tone = dimension({ id: 'tone', checklist, threshold: 'acceptable' });
 * ```
 */
export function dimension<Task = unknown, Output = unknown>(
  options: DimensionOptions<Task, Output>,
): Reviewer<Task, Output> {
  const questions = checkedQuestions(options);
  const { id, provider, threshold = 'good', scope } = options;
  const bar = checkedBar(id, options);
  return {
    id,
    version: digestOf([
      judgePromptVersion,
      questions,
      threshold,
      options.severity ?? null,
      ...(bar === undefined ? [] : [bar]),
      provider?.id ?? null,
      provider?.model ?? null,
      String(scope),
    ]).slice(0, 16),
    tier: 'model',
    // the version contains the text of the function, but not the values that it closes over
    ...(scope !== undefined && { scope, reuse: 'run' as const }),
    ...(provider === undefined && {
      withProvider: (inherited: LLMProvider) => dimension({ ...options, provider: inherited }),
    }),
    review: async ({ task, output }, context) => {
      try {
        checkProvider(provider);
        const call = {
          provider,
          task: taskText(task ?? ''),
          sections: sectionsOf(output),
          questions: questions.map((text) => ({ text, criterion: id, scale: bar?.scale })),
          nonce: context.nonce,
          context,
          signal: undefined,
          warmUp: undefined,
        };
        const { verdicts, remarks } = await judge(call, { temperature: 0, seed: 1 });
        const about = {
          id,
          name: id,
          description: id,
          severity: 'major',
          category: 'quality',
        } as const;
        const rules = { id, threshold: 1, severity: options.severity, bar };
        const assessment = assess(about, resultOfVerdicts(rules, verdicts, remarks));
        // a grade has its bar: no level decides once more
        return [bar === undefined ? withLevel(assessment, threshold) : assessment];
      } catch (error) {
        if (error instanceof ReviewLoopError) return [{ verdict: 'errored', criterion: id, error }];
        throw error;
      }
    },
  };
}

function withLevel(assessment: Assessment, threshold: QualityLevel): Assessment {
  if (assessment.verdict !== 'pass' && assessment.verdict !== 'fail') return assessment;
  const level = levelOfIssues(assessment.gaps);
  const verdict = levelRank(level) >= levelRank(threshold) ? 'pass' : 'fail';
  return {
    ...assessment,
    verdict,
    score: scoreOfLevel(level),
    explanation: `${level}: ${assessment.explanation}`,
  };
}

const bars = QualityLevelSchema.options.slice(1);

const ofBar = (known: readonly unknown[]) =>
  fits(`one of ${known.join(', ')}`, (value) => known.includes(value));

const table = {
  id: required(filled()),
  ...{ provider: checkGiven, threshold: ofBar(bars), severity: ofBar(GapSeveritySchema.options) },
  ...{ scope: call, question: elsewhere(), checklist: elsewhere() },
  ...{ scale: elsewhere(), passFrom: elsewhere() },
};

function checkGiven(_name: string, provider: unknown): void {
  checkProvider(provider as LLMProvider);
}

function checkedQuestions<Task, Output>(
  options: DimensionOptions<Task, Output>,
): readonly string[] {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkTable('dimension', table, options);
  checkQuestions(options);
  return options.checklist ?? [options.question];
}
