import { type Assessment, isJudged } from '../../core/assessment.js';
import type { CriterionContext, CriterionResult } from '../../core/criterion.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import { reachesBar, scoreOfGrade } from '../../core/grade.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { resultOfWhole } from '../../core/partial-view.js';
import type { Grading, Reviewer } from '../../core/reviewer.js';
import { systemRandom } from '../../ports/random.js';
import { cachedCounterFor, estimatedTokens } from '../../ports/token-counter.js';
import { taskText } from '../address/address-prompt.js';
import { checkProvider } from '../models/answer/ask-options.js';
import { sectionsOf } from '../models/prompt/sections.js';
import type { Criterion } from './criterion.js';
import { assess, type DescribedCriterion, wholeGap } from './from-criterion.js';
import { type JudgeCall, type JudgeOptions, type JudgeReply, judge } from './judge.js';
import { type GradeBar, resultOfVerdicts } from './judge-answer.js';
import { judgePromptVersion } from './judge-prompt.js';
import {
  barAt,
  checkedBar,
  checkLlmCriterion,
  type GradeOptions,
  type LlmCriterionOptions,
} from './llm-criterion-options.js';

/**
 * Creates a criterion that a model judges by yes-or-no questions. The model quotes what it finds,
 * and quotes that do not occur are dropped. The verdict is computed from the answers. It is
 * `errored` if an answer is unusable or if the judge did not see the whole output.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const clear = llmCriterion({
 *   id: 'clear',
 *   question: 'Does the text explain every term that it uses?',
 *   severity: 'minor',
 * });
 * ```
 */
export function llmCriterion<Output = unknown, Task = unknown>(
  options: LlmCriterionOptions<Output>,
): Criterion<Output, Task> {
  checkLlmCriterion(options);
  return judgedCriterion<Output, Task>(options, judge);
}

export type AskJudge = (call: JudgeCall, options: JudgeOptions) => Promise<JudgeReply>;

export function judgedCriterion<Output, Task>(
  options: LlmCriterionOptions<Output>,
  askJudge: AskJudge,
): Criterion<Output, Task> {
  const { id, category = 'quality', description = id, name = id, severity = 'major' } = options;
  const described = { id, name, description, severity, category };
  const bar = checkedBar(id, options);
  return criterionWith({ options, askJudge, described, bar }, options.provider);
}

interface Setup<Output> {
  readonly options: LlmCriterionOptions<Output>;
  readonly askJudge: AskJudge;
  readonly described: DescribedCriterion;
  readonly bar: GradeBar | undefined;
}

function criterionWith<Output, Task>(
  setup: Setup<Output>,
  provider: LLMProvider | undefined,
): Criterion<Output, Task> {
  const { options, described } = setup;
  const { scope } = options;
  const reviewer: Reviewer<Task, Output> = {
    ...reviewerWith<Output, Task>(setup, provider),
    ...(provider === undefined && {
      withProvider: (given: LLMProvider) => criterionWith<Output, Task>(setup, given),
    }),
  };
  return {
    ...reviewer,
    ...described,
    reviewer,
    validate: (output: Output, task: Task, context: CriterionContext) => {
      checkProvider(provider);
      const view = viewOf(
        options,
        task,
        scope === undefined ? output : selected(described.id, scope(output)),
      );
      const signal = context?.signal;
      return ask(setup, view, {
        provider,
        nonce: systemRandom.nonce(),
        context: undefined,
        signal,
      });
    },
  };
}

function reviewerWith<Output, Task>(
  setup: Setup<Output>,
  provider: LLMProvider | undefined,
): Reviewer<Task, Output> {
  const { options, askJudge, described } = setup;
  const { id, scope, fix } = options;
  return {
    id,
    version: versionOf(setup, provider),
    ...gradingOf(setup, provider),
    tier: options.tier ?? 'model',
    severity: described.severity,
    scope: scope && (({ task, output }) => viewOf(options, task, selected(id, scope(output)))),
    asks: {
      provider,
      asking: (other, { whole = false, bar } = {}) =>
        judgedCriterion<Output, Task>(
          {
            ...options,
            provider: other,
            ...(whole && { scope: undefined }),
            ...(bar !== undefined && withBar(options, bar)),
          },
          askJudge,
        ),
    },
    ...(fix && { fix: (output, gap, context) => fix(output, gap, context) }),
    review: ({ task, output }, context) =>
      erroredOnFailure(id, async () => {
        checkProvider(provider);
        const view = scope === undefined ? viewOf(options, task, output) : (output as JudgedView);
        const { nonce } = context;
        return assess(
          described,
          await ask(setup, view, { provider, nonce, context, signal: undefined }),
        );
      }),
  };
}

async function ask<Output>(
  { options, askJudge, bar }: Setup<Output>,
  view: JudgedView,
  call: Pick<JudgeCall, 'provider' | 'nonce' | 'context' | 'signal'>,
): Promise<CriterionResult> {
  const { id, threshold = 1, severity } = options;
  const { verdicts, remarks, part } = await askJudge(
    {
      ...call,
      task: view.task,
      sections: sectionsOf(view.output),
      questions: questionsOf(options).map((text) => ({ text, criterion: id, scale: bar?.scale })),
      warmUp: undefined,
    },
    { ...options, tokens: cachedCounterFor(view.output, options.tokens ?? estimatedTokens) },
  );
  return resultOfWhole(resultOfVerdicts({ id, threshold, severity, bar }, verdicts, remarks), part);
}

export async function erroredOnFailure(
  id: string,
  work: () => Promise<Assessment>,
): Promise<readonly Assessment[]> {
  try {
    return [await work()];
  } catch (error) {
    if (error instanceof ReviewLoopError) return [{ verdict: 'errored', criterion: id, error }];
    throw error;
  }
}

function selected(id: string, part: unknown): unknown {
  if (part !== undefined) return part;
  throw new ReviewLoopError('scope_failed', `the scope of ${id} selects nothing: undefined`);
}

interface JudgedView {
  readonly task: string | undefined;
  readonly output: unknown;
}

function viewOf(options: JudgeOptions, task: unknown, output: unknown): JudgedView {
  const text = options.withTask === false ? '' : taskText(task ?? '').trim();
  return { task: text === '' ? undefined : text, output };
}

function questionsOf({
  question,
  checklist,
}: Pick<LlmCriterionOptions<never>, 'question' | 'checklist'>): readonly string[] {
  return checklist ?? [question ?? ''];
}

/** Leaves out the text that the judge sees. */
function versionOf<Output>(setup: Setup<Output>, provider: LLMProvider | undefined): string {
  const { bar } = setup;
  const asked = askedVersion(setup, provider);
  return bar === undefined ? asked : digestOf([asked, bar.passFrom]).slice(0, 16);
}

/** A grade depends on everything but the bar. */
function gradingOf<Output>(
  setup: Setup<Output>,
  provider: LLMProvider | undefined,
): { readonly grading?: Grading } {
  const { bar, described } = setup;
  if (bar === undefined) return {};
  const failure = (details: string) => wholeGap(described, { passed: false, score: 0, details });
  return {
    grading: {
      bar: bar.passFrom / bar.scale,
      version: askedVersion(setup, provider),
      decide: (assessment) => regraded(bar.passFrom, assessment, failure),
    },
  };
}

function withBar({ scale, passFrom }: GradeOptions, share: number): GradeOptions {
  return scale === undefined || passFrom !== undefined ? {} : { passFrom: barAt(share, scale) };
}

function askedVersion<Output>(
  { options, bar }: Setup<Output>,
  provider: LLMProvider | undefined,
): string {
  const asked = options.version ?? promptVersion(options, provider);
  return bar === undefined ? asked : digestOf([asked, 'scale', bar.scale]).slice(0, 16);
}

function promptVersion<Output>(
  options: LlmCriterionOptions<Output>,
  provider: LLMProvider | undefined,
): string {
  const {
    threshold = 1,
    severity = null,
    temperature = null,
    seed = null,
    maxPromptTokens = null,
    allowTruncated = false,
    withTask = true,
    scope,
  } = options;
  const rules = [
    threshold,
    severity,
    temperature,
    seed,
    maxPromptTokens,
    // a pass about a part counted once, and is stored under `true`
    allowTruncated ? 'undecided' : false,
    withTask,
    String(scope),
  ];
  return digestOf([
    judgePromptVersion,
    questionsOf(options),
    provider?.id ?? null,
    provider?.model ?? null,
    rules,
  ]).slice(0, 16);
}

function regraded(
  passFrom: number,
  assessment: Assessment,
  failure: (explanation: string) => Gap,
): Assessment {
  if (!isJudged(assessment) || assessment.grade === undefined) return assessment;
  if (assessment.decidedBy !== undefined) return assessment;
  const grade = { ...assessment.grade, passFrom };
  const said = { ...assessment, grade, score: scoreOfGrade(grade) };
  if (reachesBar(grade)) return { ...said, verdict: 'pass', gaps: [] };
  const gaps = said.gaps.length > 0 ? said.gaps : [failure(said.explanation)];
  return { ...said, verdict: 'fail', gaps };
}
