import { taskText } from '../address/address-prompt.js';
import type { Assessment } from '../core/assessment.js';
import type { CriterionContext, CriterionResult } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { resultOfWhole } from '../core/partly-shown.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkProvider } from '../model/answer/ask-options.js';
import { sectionsOf } from '../model/prompt/sections.js';
import { cachedCounterFor } from '../ports/cached-counter.js';
import { systemRandom } from '../ports/random.js';
import { estimatedTokens } from '../ports/token-counter.js';
import type { Criterion } from './criterion.js';
import { assess, type DescribedCriterion } from './from-criterion.js';
import type { JudgeCall, JudgeOptions, JudgeReply } from './judge.js';
import { judgePromptVersion } from './judge-prompt.js';
import { resultOfVerdicts } from './judge-result.js';
import type { LlmCriterionOptions } from './llm-criterion-options.js';

/** Asks a judge, in a separate call or together with other criteria. */
export type AskJudge = (call: JudgeCall, options: JudgeOptions) => Promise<JudgeReply>;

/** Creates a criterion that a model judges. */
export function judgedCriterion<Output, Task>(
  options: LlmCriterionOptions<Output>,
  askJudge: AskJudge,
): Criterion<Output, Task> {
  const { id, category = 'quality', description = id, name = id, severity = 'major' } = options;
  const described = { id, name, description, severity, category };
  return criterionWith({ options, askJudge, described }, options.provider);
}

interface Setup<Output> {
  readonly options: LlmCriterionOptions<Output>;
  readonly askJudge: AskJudge;
  readonly described: DescribedCriterion;
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
    version: options.version ?? versionOf(options, provider),
    tier: options.tier ?? 'model',
    severity: described.severity,
    scope: scope && (({ task, output }) => viewOf(options, task, selected(id, scope(output)))),
    asks: {
      provider,
      asking: (other, { whole = false } = {}) =>
        judgedCriterion<Output, Task>(
          { ...options, provider: other, ...(whole && { scope: undefined }) },
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
  { options, askJudge }: Setup<Output>,
  view: JudgedView,
  call: Pick<JudgeCall, 'provider' | 'nonce' | 'context' | 'signal'>,
): Promise<CriterionResult> {
  const { id, threshold = 1, severity } = options;
  const { verdicts, remarks, part } = await askJudge(
    {
      ...call,
      task: view.task,
      sections: sectionsOf(view.output),
      questions: questionsOf(options).map((text) => ({ text, criterion: id })),
      warmUp: undefined,
    },
    { ...options, tokens: cachedCounterFor(view.output, options.tokens ?? estimatedTokens) },
  );
  return resultOfWhole(resultOfVerdicts({ id, threshold, severity }, verdicts, remarks), part);
}

/** Returns the assessment, or an errored one if the judge failed. */
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

/** @throws ReviewLoopError `scope_failed`: a judge of nothing has nothing to say */
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

/** Everything that a verdict depends on, except the text that the judge sees. */
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
