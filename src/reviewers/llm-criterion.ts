import { taskText } from '../address/address-prompt.js';
import type { Assessment } from '../core/assessment.js';
import type { CriterionContext, CriterionResult } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkProvider } from '../model/answer/ask-options.js';
import { sectionsOf } from '../model/prompt/sections.js';
import { cachedCounterFor } from '../ports/cached-counter.js';
import { systemRandom } from '../ports/random.js';
import { estimatedTokens } from '../ports/token-counter.js';
import type { Criterion } from './criterion.js';
import { assess } from './from-criterion.js';
import { type JudgeCall, type JudgeOptions, type JudgeReply, judge } from './judge.js';
import { judgePromptVersion } from './judge-prompt.js';
import { resultOfVerdicts } from './judge-result.js';
import { checkLlmCriterion, type LlmCriterionOptions } from './llm-criterion-options.js';

/**
 * A criterion that a model judges by yes-or-no questions, with quotes that must occur in what it was shown. The verdict is
 * computed from the answers; a judge that answers nothing usable, or does not see everything, is `errored`.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const clear = llmCriterion({ id: 'clear', question: 'Does the text explain every term that it uses?', severity: 'minor' });
 * ```
 */
export function llmCriterion<Output = unknown, Task = unknown>(
  options: LlmCriterionOptions<Output>,
): Criterion<Output, Task> {
  checkLlmCriterion(options);
  return judgedCriterion<Output, Task>(options, judge);
}

/** Asks a judge; alone, or together with others. */
export type Judging = (call: JudgeCall, options: JudgeOptions) => Promise<JudgeReply>;

/** The criterion, however its judge is asked. */
export function judgedCriterion<Output, Task>(
  options: LlmCriterionOptions<Output>,
  judging: Judging,
): Criterion<Output, Task> {
  const { id, category = 'quality', description = id, name = id, provider } = options;
  const about = { id, name, description, severity: options.severity ?? 'major', category } as const;
  const ask = async (
    provider: LLMProvider,
    view: JudgedView,
    around: Pick<JudgeCall, 'nonce' | 'context' | 'signal'>,
  ): Promise<CriterionResult> => {
    const questions = questionsOf(options).map((text) => ({ text }));
    const tokens = cachedCounterFor(view.output, options.tokens ?? estimatedTokens);
    const { verdicts, remarks } = await judging(
      {
        provider,
        task: view.task,
        sections: sectionsOf(view.output),
        questions,
        warmUp: undefined,
        ...around,
      },
      { ...options, tokens },
    );
    return resultOfVerdicts(
      { id, threshold: options.threshold ?? 1, severity: options.severity },
      verdicts,
      remarks,
    );
  };
  const reviewerWith = (bound: LLMProvider | undefined): Reviewer<Task, Output> => ({
    id,
    version: options.version ?? versionOf(options, bound),
    tier: options.tier ?? 'model',
    scope: options.scope && (({ task, output }) => viewOf(options, task, options.scope?.(output))),
    asks: {
      provider: bound,
      asking: (other, { whole = false } = {}) =>
        judgedCriterion<Output, Task>(
          { ...options, provider: other, ...(whole && { scope: undefined }) },
          judging,
        ),
    },
    ...(options.fix && { fix: (output, gap, context) => options.fix?.(output, gap, context) }),
    review: ({ task, output }, context) =>
      erroredOnFailure(id, async () => {
        checkProvider(bound);
        const view =
          options.scope === undefined ? viewOf(options, task, output) : (output as JudgedView);
        return assess(
          about,
          await ask(bound, view, { nonce: context.nonce, context, signal: undefined }),
        );
      }),
  });
  const criterionWith = (bound: LLMProvider | undefined): Criterion<Output, Task> => {
    const reviewer = reviewerWith(bound);
    const inheriting = bound === undefined ? { withProvider: criterionWith } : {};
    return {
      ...reviewer,
      ...about,
      ...inheriting,
      reviewer: { ...reviewer, ...inheriting },
      validate: (output: Output, task: Task, context: CriterionContext) => {
        checkProvider(bound);
        const view = viewOf(
          options,
          task,
          options.scope === undefined ? output : options.scope(output),
        );
        return ask(bound, view, {
          nonce: systemRandom.nonce(),
          context: undefined,
          signal: context?.signal,
        });
      },
    };
  };
  return criterionWith(provider);
}

/** An assessment, or the failure of the judge as one. */
async function erroredOnFailure(
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

/** Everything that a verdict depends on beside what the judge sees. */
function versionOf<Output>(
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
    allowTruncated,
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
