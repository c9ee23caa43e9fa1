import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, invalid } from '../core/options.js';
import { mergeSections } from '../model/prompt/sections.js';
import type { Criterion } from './criterion.js';
import { gather } from './gather.js';
import { type JudgeCall, type JudgeOptions, type JudgeReply, judge, type WarmUp } from './judge.js';
import { type Judging, judgedCriterion } from './llm-criterion.js';
import { checkLlmCriterion, type LlmCriterionOptions } from './llm-criterion-options.js';

/** How several criteria are asked of a model; the options of judges hold for each criterion that has none of its own. */
export interface LlmCriteriaOptions extends JudgeOptions {
  /**
   * `single` asks about each criterion in a call of its own; `batch` asks about all that are due in one call. In a batch the judge
   * sees what all of them see, and is told which part each question is about. @default 'single'
   */
  readonly mode?: 'single' | 'batch' | undefined;
  /** Whether one call goes first, so that the service has read the material before the others follow; for `single`. @default false */
  readonly warmUp?: boolean | undefined;
}

const ofJudges = [
  'provider',
  'reasks',
  'maxPromptTokens',
  'allowTruncated',
  'tokens',
  'withTask',
  'timeoutMs',
  'temperature',
  'seed',
  'maxOutputTokens',
  'providerOptions',
];

/**
 * Several criteria that a model judges, with options in common. Each keeps its own scope, verdict and gaps, and is asked again only
 * when what it reads has changed.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = llmCriteria([{ id: 'clear', question: 'Is it clear?' }, { id: 'short', question: 'Is it short?' }], { mode: 'batch' });
 * ```
 */
export function llmCriteria<Output = unknown, Task = unknown>(
  criteria: readonly LlmCriterionOptions<Output>[],
  options: LlmCriteriaOptions = {},
): Criterion<Output, Task>[] {
  if (!Array.isArray(criteria) || criteria.length === 0)
    throw invalid('criteria', 'a list that is not empty', criteria);
  checkKeys('llmCriteria', options, ['mode', 'warmUp', ...ofJudges]);
  const { mode = 'single', warmUp = false, ...common } = options;
  if (mode !== 'single' && mode !== 'batch') throw invalid('mode', "'single' or 'batch'", mode);
  const judging = mode === 'batch' ? batched(common) : alone(warmUp ? warmingUp() : undefined);
  return criteria.map((criterion) => {
    const all = { ...common, ...criterion };
    checkLlmCriterion(all);
    if (mode === 'batch') checkOwnOptions(criterion);
    return judgedCriterion<Output, Task>(all, judging);
  });
}

/** In a batch there is one call, so no criterion can ask in a way of its own. */
function checkOwnOptions<Output>(criterion: LlmCriterionOptions<Output>): void {
  const own = ofJudges.filter(
    (name) => name !== 'provider' && name !== 'withTask' && name in criterion,
  );
  if (own.length > 0)
    throw invalid(
      `\`${own.join('`, `')}\` of ${criterion.id}`,
      'an option of the whole batch',
      own,
    );
}

function alone(warmUp: WarmUp | undefined): Judging {
  return (call, options) => judge({ ...call, warmUp }, options);
}

/** One call at a time for each prefix that nobody has read yet. */
function warmingUp(): WarmUp {
  const reading = new Map<string, Promise<void>>();
  return async (prefix, context) => {
    const first = reading.get(prefix);
    if (first !== undefined) {
      await context.join(first);
      return () => {};
    }
    let release = (): void => {};
    const done = new Promise<void>((resolve) => {
      release = resolve;
    });
    reading.set(prefix, done);
    return () => {
      reading.delete(prefix);
      release();
    };
  };
}

/** Criteria of one run that are asked at the same time share a call; outside of an engine each has its own. */
function batched(options: JudgeOptions): Judging {
  const byProvider = new WeakMap<LLMProvider, ReturnType<typeof gather<JudgeCall, JudgeReply>>>();
  return (call, own) => {
    const { provider, context, nonce, task = '' } = call;
    if (context === undefined) return judge(call, own);
    const gathering =
      byProvider.get(provider) ??
      gather<JudgeCall, JudgeReply>((calls) => judgeTogether(calls, options));
    byProvider.set(provider, gathering);
    return gathering(JSON.stringify([nonce, context.iteration, task]), call, context);
  };
}

async function judgeTogether(
  calls: readonly JudgeCall[],
  options: JudgeOptions,
): Promise<readonly JudgeReply[]> {
  const [leader] = calls;
  if (leader === undefined) return [];
  const { sections, labels } = mergeSections(calls.map((call) => call.sections));
  const everything = new Set(sections.map(({ label }) => label));
  const questions = calls.flatMap((call, index) => {
    const seen = labels[index] ?? [];
    return call.questions.map(({ text }) => ({
      text,
      about: new Set(seen).size === everything.size ? undefined : seen,
    }));
  });
  const { verdicts, remarks } = await judge({ ...leader, sections, questions }, options);
  let next = 0;
  return calls.map((call) => {
    next += call.questions.length;
    return {
      verdicts: verdicts.slice(next - call.questions.length, next),
      remarks: call === leader ? remarks : remarks.slice(0, 0),
    };
  });
}
