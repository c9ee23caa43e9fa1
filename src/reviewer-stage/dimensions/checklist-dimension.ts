import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, checkPositive } from '../../core/options.js';
import { checkProvider } from '../../model/answer/ask-options.js';
import { modelErrors } from '../../model/errors.js';
import type { PromptSection } from '../../model/prompt/sections.js';
import { cachedCounterFor } from '../../ports/cached-counter.js';
import { systemRandom } from '../../ports/random.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { type JudgeOptions, judge } from '../../reviewers/judge.js';
import type { QuestionVerdict } from '../../reviewers/judge-answer.js';
import { judgePromptVersion } from '../../reviewers/judge-prompt.js';
import type { CompletedWork } from '../completed-work.js';
import type { AssessContext, Dimension, DimensionIssue, DimensionResult } from '../dimension.js';
import { levelOfIssues } from './level-of-issues.js';
import { changeSections, historySections, packSections } from './work-sections.js';

/** How a {@link ChecklistDimension} asks its model. */
export interface DimensionSettings
  extends Pick<
    JudgeOptions,
    | 'provider'
    | 'temperature'
    | 'seed'
    | 'maxOutputTokens'
    | 'providerOptions'
    | 'reasks'
    | 'tokens'
    | 'timeoutMs'
    | 'allowTruncated'
  > {
  /** How many tokens of the work one question may come with; larger work is judged in parts. @default 100000 */
  readonly maxPromptTokens?: number | undefined;
}

/** A yes-or-no question of a dimension; yes is good. */
export interface DimensionQuestion {
  readonly text: string;
  /** Whether it is left out of a quick review. @default false */
  readonly thorough?: boolean | undefined;
}

const settingNames = [
  'provider',
  'temperature',
  'seed',
  'maxOutputTokens',
  'providerOptions',
  'reasks',
  'tokens',
  'timeoutMs',
  'allowTruncated',
  'maxPromptTokens',
];

/**
 * A dimension that a model judges by yes-or-no questions with quoted evidence; the level is computed from the answers. For
 * subclasses: name it, ask your questions, show more.
 *
 * @example
 * ```ts
 * class Tone extends ChecklistDimension {
 *   readonly id = 'tone';
 *   readonly name = 'Tone';
 *   protected questions() {
 *     return [{ text: 'Is every message to users polite?' }];
 *   }
 * }
 * ```
 */
export abstract class ChecklistDimension implements Dimension {
  abstract readonly id: string;
  abstract readonly name: string;
  readonly shortName?: string | undefined;
  readonly records = true;
  readonly #settings: DimensionSettings;

  /** @throws ReviewLoopError `invalid_options` */
  constructor(settings: DimensionSettings = {}) {
    checkKeys(new.target.name, settings, settingNames);
    checkPositive('maxPromptTokens', settings.maxPromptTokens);
    if (settings.provider !== undefined) checkProvider(settings.provider);
    this.#settings = settings;
  }

  /** What is asked of this work. */
  protected abstract questions(
    work: CompletedWork,
  ): readonly DimensionQuestion[] | Promise<readonly DimensionQuestion[]>;

  /** What is shown beside the request and the changes. @default plan, execution, verification, and the list of changes */
  protected context(work: CompletedWork): readonly PromptSection[] {
    return historySections(work);
  }

  /** What code finds without a model; it comes first, and counts as the model's issues do. @default nothing */
  protected findings(_work: CompletedWork): readonly DimensionIssue[] {
    return [];
  }

  /**
   * Part of every verdict's key: what the class and those above it say, the prompt and the provider. Override it where your rules stand
   * outside of the class, and where a minifier makes other texts of the same rules.
   */
  get version(): string {
    const { provider, tokens: _, ...rest } = this.#settings;
    return digestOf([
      judgePromptVersion,
      this.id,
      rulesOf(this),
      provider?.id ?? null,
      provider?.model ?? null,
      JSON.stringify(rest),
    ]).slice(0, 16);
  }

  get needsProvider(): boolean {
    return this.#settings.provider === undefined;
  }

  async assess(work: CompletedWork, context: AssessContext): Promise<DimensionResult> {
    const provider = this.#settings.provider ?? context.provider;
    checkProvider(provider);
    const found = this.findings(work);
    const all = await this.questions(work);
    const asked = context.depth === 'quick' ? all.filter(({ thorough }) => thorough !== true) : all;
    const questions = asked.length > 0 ? asked : all;
    if (questions.length === 0)
      throw new ReviewLoopError('reviewer_invalid', `${this.id} asks no question about this work`);
    const parts = await this.#judgeParts(provider, work, questions, context);
    return resultOf(
      this.id,
      found,
      questions.map((_, index) => parts.map((verdicts) => verdicts[index] as QuestionVerdict)),
    );
  }

  async #judgeParts(
    provider: LLMProvider,
    work: CompletedWork,
    questions: readonly DimensionQuestion[],
    { review, signal }: AssessContext,
  ): Promise<(readonly QuestionVerdict[])[]> {
    const {
      maxPromptTokens = 100_000,
      tokens: counter = estimatedTokens,
      temperature = 0,
      seed = 1,
      ...options
    } = this.#settings;
    const tokens = cachedCounterFor(work, counter);
    const parts = await packSections(changeSections(work), {
      shared: this.context(work),
      maxTokens: maxPromptTokens,
      tokens,
    });
    const nonce = review?.nonce ?? systemRandom.nonce();
    return Promise.all(
      parts.map(async (sections, index) => {
        const call = {
          provider,
          task: work.request,
          sections,
          questions,
          nonce,
          context: review,
          signal,
          warmUp: undefined,
          part: index + 1,
        };
        return (await judge(call, { ...options, temperature, seed, maxPromptTokens, tokens }))
          .verdicts;
      }),
    );
  }
}

/** The text of a class and of those between it and this one, member by member: a compiler may have taken the members out of the class. */
function rulesOf(dimension: ChecklistDimension): string[] {
  const texts: string[] = [];
  for (
    let at: unknown = Object.getPrototypeOf(dimension);
    at instanceof ChecklistDimension;
    at = Object.getPrototypeOf(at)
  ) {
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      texts.push(`${name}: ${String(member.value ?? Reflect.get(member, 'get'))}`);
  }
  return texts;
}

/** The result of all answers to all questions: one `no` in any part is a no. */
function resultOf(
  id: string,
  found: readonly DimensionIssue[],
  answers: readonly (readonly QuestionVerdict[])[],
): DimensionResult {
  const open = answers
    .flat()
    .flatMap((verdict) => (verdict.kind === 'undecided' ? [verdict.problem] : []));
  if (open.length > 0)
    throw new ReviewLoopError(
      modelErrors.answer_mismatch,
      `the judge of ${id} left questions open: ${open.join('; ')}`,
      { retryable: true },
    );
  const verdicts = answers.flat().filter((verdict) => verdict.kind !== 'undecided');
  const noes = verdicts.filter((verdict) => verdict.kind === 'no');
  if (found.length === 0 && noes.length === 0 && !verdicts.some(({ kind }) => kind === 'yes')) {
    throw new ReviewLoopError(
      'reviewer_invalid',
      `the judge of ${id} found that none of its questions concerns this work`,
    );
  }
  const issues = [...found, ...noes.flatMap(({ findings }) => findings.map(issueOf))];
  const dropped = noes.reduce((sum, verdict) => sum + verdict.dropped, 0);
  const reasons =
    issues.length > 0
      ? [...found.map(({ message }) => message), ...noes.map(({ reason }) => reason)]
      : verdicts.map(({ reason }) => reason);
  const told = [
    ...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== '')),
  ];
  return {
    level: levelOfIssues(issues),
    explanation: [
      ...told,
      ...(dropped > 0 ? [`(${dropped} unverified: the quote does not occur.)`] : []),
    ].join(' '),
    issues,
  };
}

function issueOf({
  description,
  file,
  line,
  suggestedFix,
  severity,
  evidence,
}: Extract<QuestionVerdict, { kind: 'no' }>['findings'][number]): DimensionIssue {
  return {
    message: description,
    severity: severity ?? 'major',
    ...(file !== undefined && { location: { file, ...(line !== undefined && { line }) } }),
    ...(suggestedFix !== undefined && { suggestion: suggestedFix }),
    ...(evidence !== undefined && { evidence }),
  };
}
