import { checkCallOptions, checkProvider } from '../../../blocks/models/answer/ask-options.js';
import { modelErrors } from '../../../blocks/models/errors.js';
import type { PromptSection } from '../../../blocks/models/prompt/sections.js';
import type { JudgeOptions } from '../../../blocks/reviewers/judge.js';
import type { QuestionVerdict } from '../../../blocks/reviewers/judge-answer.js';
import { judgePromptVersion } from '../../../blocks/reviewers/judge-prompt.js';
import { checkedErrors } from '../../../core/checked-errors.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { digestOf } from '../../../core/json.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { flag } from '../../../core/options.js';
import { systemRandom } from '../../../ports/random.js';
import { cachedCounterFor, estimatedTokens } from '../../../ports/token-counter.js';
import type { CompletedWork } from '../completed-work.js';
import type { AssessContext, Dimension, DimensionIssue, DimensionResult } from '../dimension.js';
import { levelOfIssues } from '../quality-level.js';
import { changeSections, historySections, packSections } from './work-sections.js';

export interface DimensionSettings
  extends Pick<JudgeOptions, 'provider' | 'allowTruncated' | 'reasks' | 'temperature' | 'seed'>,
    Pick<JudgeOptions, 'tokens' | 'maxOutputTokens' | 'providerOptions' | 'timeoutMs'> {
  /**
   * The limit of the work in one prompt, in tokens above 0. Larger work is judged in parts.
   *
   * @default 100000
   */
  readonly maxPromptTokens?: number | undefined;
}

/** A yes-or-no question of a dimension; `yes` is good. */
export interface DimensionQuestion {
  readonly text: string;
  /** Whether a quick review skips the question. @default false */
  readonly thorough?: boolean | undefined;
}

/**
 * Base class of dimensions that a model judges. The model answers yes-or-no questions with quotes
 * from the work, and code computes the level. Subclasses set `id` and `name` and return the
 * questions.
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
    checkCallOptions(new.target.name, settings, { allowTruncated: flag });
    this.#settings = settings;
  }

  /** Returns the questions about this work. */
  protected abstract questions(
    work: CompletedWork,
  ): readonly DimensionQuestion[] | Promise<readonly DimensionQuestion[]>;

  /**
   * Returns the sections that the model sees besides the request and the changes.
   *
   * @default plan, execution results, verification results and the list of changed files
   */
  protected context(work: CompletedWork): readonly PromptSection[] {
    return historySections(work);
  }

  /**
   * Returns the issues that code finds without a model. They count like the model's issues.
   *
   * @default []
   */
  protected findings(
    _work: CompletedWork,
  ): readonly DimensionIssue[] | Promise<readonly DimensionIssue[]> {
    return [];
  }

  /**
   * A hash of the class, the prompt and the provider: a part of the key of cached verdicts.
   * Override it if your rules are outside of the class, or if a minifier changes the class.
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
    const found = await this.findings(work);
    const all = checkedQuestions(this.id, await this.questions(work));
    const quick = context.depth === 'quick' ? all.filter(({ thorough }) => thorough !== true) : all;
    const questions = quick.length > 0 ? quick : all;
    const parts = await this.#judgeParts(provider, work, questions, context);
    const byQuestion = questions.flatMap((_, index) =>
      parts.map((verdicts) => verdicts[index] as QuestionVerdict),
    );
    return checklistResult(this.id, found, byQuestion);
  }

  /** The verdicts of each part, in the order of the questions. */
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
    const { judge } = await import('../../../blocks/reviewers/judge.js');
    return Promise.all(
      parts.map(async (sections, index) => {
        const call = {
          provider,
          task: work.request,
          sections,
          questions: questions.map((question) => ({ ...question, criterion: this.id })),
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

/** The questions of a subclass, which may be written in JavaScript. */
function checkedQuestions(
  id: string,
  questions: readonly DimensionQuestion[],
): readonly DimensionQuestion[] {
  const refused = (why: string) =>
    new ReviewLoopError(checkedErrors.reviewer_invalid, `${id} ${why}`);
  if (!Array.isArray(questions)) throw refused('returned no list of questions');
  if (questions.length === 0) throw refused('asks no question about this work');
  const place = questions.findIndex(
    (one: DimensionQuestion | null | undefined) =>
      typeof one?.text !== 'string' || one.text.trim() === '',
  );
  if (place >= 0) throw refused(`gave its question ${place + 1} no text`);
  return questions;
}

/** Member by member: a compiler may move members out of the text of a class. */
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

/** The issues that code found, and one for each finding of a `no` answer. */
export function checklistResult(
  id: string,
  found: readonly DimensionIssue[],
  answers: readonly QuestionVerdict[],
): DimensionResult {
  const problems = answers.flatMap((verdict) =>
    verdict.kind === 'undecided' ? [verdict.problem] : [],
  );
  if (problems.length > 0)
    throw new ReviewLoopError(
      modelErrors.answer_mismatch,
      `the judge of ${id} did not answer every question: ${problems.join('; ')}`,
      { retryable: true },
    );
  const verdicts = answers.filter((verdict) => verdict.kind !== 'undecided');
  const noes = verdicts.filter((verdict) => verdict.kind === 'no');
  if (found.length === 0 && noes.length === 0 && !verdicts.some(({ kind }) => kind === 'yes')) {
    throw new ReviewLoopError(
      checkedErrors.reviewer_invalid,
      `the judge of ${id} found no question that concerns this work`,
    );
  }
  const issues = [...found, ...noes.flatMap(({ findings }) => findings.map(issueOf))];
  const dropped = noes.reduce((sum, verdict) => sum + verdict.dropped, 0);
  const reasons =
    issues.length > 0
      ? [...found.map(({ message }) => message), ...noes.map(({ reason }) => reason)]
      : verdicts.map(({ reason }) => reason);
  const explanations = [
    ...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== '')),
  ];
  return {
    level: levelOfIssues(issues),
    explanation: [
      ...explanations,
      ...(dropped > 0 ? [`(${dropped} unverified: the quote does not occur.)`] : []),
    ].join(' '),
    issues,
  };
}

function issueOf(
  finding: Extract<QuestionVerdict, { kind: 'no' }>['findings'][number],
): DimensionIssue {
  const { file, line, suggestedFix, severity, evidence } = finding;
  return {
    message: finding.description,
    severity: severity ?? 'major',
    ...(file !== undefined && { location: { file, ...(line !== undefined && { line }) } }),
    ...(suggestedFix !== undefined && { suggestion: suggestedFix }),
    ...(evidence !== undefined && { evidence }),
  };
}
