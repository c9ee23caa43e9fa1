import type { LLMProvider } from '../../core/llm-provider.js';
import { checkList, flag, invalid, oneOf } from '../../core/options.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import { callOptionNames, checkCallOptions } from '../models/answer/ask-options.js';
import { mergeSections } from '../models/prompt/sections.js';
import type { Criterion } from './criterion.js';
import { type JudgeCall, type JudgeOptions, type JudgeReply, judge, type WarmUp } from './judge.js';
import { type AskJudge, judgedCriterion } from './llm-criterion.js';
import {
  checkLlmCriterion,
  type GradeOptions,
  gradeTable,
  judgeTable,
  type LlmCriterionOptions,
} from './llm-criterion-options.js';

/** Options for several criteria; an option of one criterion takes precedence. */
export interface LlmCriteriaOptions extends JudgeOptions, GradeOptions {
  /**
   * `single` makes one call for each criterion; `batch` makes one call for all that need a verdict.
   * In a batch, the judge sees the material of all criteria, and each question names its part.
   *
   * @default 'single'
   */
  readonly mode?: 'single' | 'batch' | undefined;
  /**
   * Whether one call goes first, so that the others find the material in the service's cache. It
   * affects `single` only.
   *
   * @default false
   */
  readonly warmUp?: boolean | undefined;
}

const table = { mode: oneOf('single', 'batch'), warmUp: flag, ...judgeTable, ...gradeTable };

/**
 * Creates several criteria with common options. Each has its own scope, verdict and gaps, and is
 * asked again only if its scope has changed.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const clear = { id: 'clear', question: 'Is it clear?' };
 * const short = { id: 'short', question: 'Is it short?' };
 * const reviewers = llmCriteria([clear, short], { mode: 'batch' });
 * ```
 */
export function llmCriteria<Output = unknown, Task = unknown>(
  criteria: readonly LlmCriterionOptions<Output>[],
  options: LlmCriteriaOptions = {},
): Criterion<Output, Task>[] {
  checkList('criteria', criteria);
  if (criteria.length === 0) throw invalid('criteria', 'a non-empty list', criteria);
  checkCallOptions('llmCriteria', options, table);
  const { mode = 'single', warmUp = false, ...common } = options;
  const askJudge = mode === 'batch' ? batched(common) : alone(warmUp ? warmingUp() : undefined);
  return criteria.map((criterion) => {
    const all = { ...common, ...criterion };
    checkLlmCriterion(all);
    if (mode === 'batch') checkOwnOptions(criterion);
    return judgedCriterion<Output, Task>(all, askJudge);
  });
}

/** A batch is one call, so a criterion cannot have its own options for it. */
function checkOwnOptions<Output>(criterion: LlmCriterionOptions<Output>): void {
  const own = [...callOptionNames, ...Object.keys(judgeTable)].filter(
    (name) => name !== 'provider' && name !== 'withTask' && name in criterion,
  );
  if (own.length > 0)
    throw invalid(
      `\`${own.join('`, `')}\` of ${criterion.id}`,
      'an option of the whole batch',
      own,
    );
}

function alone(warmUp: WarmUp | undefined): AskJudge {
  return (call, options) => judge({ ...call, warmUp }, options);
}

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

/**
 * Criteria of one run that are asked at the same time share a call; outside of a pipeline each
 * makes its own.
 */
function batched(options: JudgeOptions): AskJudge {
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
    return call.questions.map((question) => ({
      ...question,
      about: new Set(seen).size === everything.size ? undefined : seen,
    }));
  });
  const { verdicts, remarks, part } = await judge({ ...leader, sections, questions }, options);
  let next = 0;
  return calls.map((call) => {
    next += call.questions.length;
    return {
      verdicts: verdicts.slice(next - call.questions.length, next),
      remarks: call === leader ? remarks : remarks.slice(0, 0),
      part,
    };
  });
}

/** The work starts after this many turns of promises without a new call. */
const quietTurns = 20;

interface Open<Item, Result> {
  readonly items: Item[];
  readonly results: Promise<readonly Result[]>;
}

/** The first of concurrent callers does the work for all, and the others wait for it. */
export function gather<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (group: string, item: Item, context: Pick<ReviewerContext, 'join'>) => Promise<Result> {
  const groups = new Map<string, Open<Item, Result>>();
  const begin = async (group: string, items: readonly Item[]): Promise<readonly Result[]> => {
    for (
      let seen = 0, quiet = 0;
      quiet < quietTurns;
      quiet = items.length === seen ? quiet + 1 : 0
    ) {
      seen = items.length;
      await Promise.resolve();
    }
    groups.delete(group);
    return work(items);
  };
  return async (group, item, context) => {
    const open = groups.get(group);
    if (open !== undefined) {
      const place = open.items.push(item) - 1;
      return resultAt(await context.join(open.results), place);
    }
    const items = [item];
    const results = begin(group, items);
    groups.set(group, { items, results });
    return resultAt(await results, 0);
  };
}

function resultAt<Result>(results: readonly Result[], place: number): Result {
  const result = results[place];
  if (result === undefined) throw new Error(`the work returned ${results.length} results`);
  return result;
}
