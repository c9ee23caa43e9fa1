import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { givenOf } from '../../core/options.js';
import { partlyShown } from '../../core/partial-view.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import { estimatedTokens, type TokenCounter } from '../../ports/token-counter.js';
import { fencedPrompt, type Seal, sealedReading, sealOf } from '../models/answer/ask-fenced.js';
import { askCounted } from '../models/answer/ask-model.js';
import type { AnswerReading, AskModelOptions } from '../models/answer/ask-options.js';
import { modelErrors } from '../models/errors.js';
import { type FittedSections, fitSections, type PromptSection } from '../models/prompt/sections.js';
import {
  GradedAnswerSchema,
  type JudgeAnswer,
  JudgeAnswerSchema,
  type QuestionVerdict,
  verdictOn,
} from './judge-answer.js';
import {
  isGraded,
  type JudgePromptInput,
  type JudgeQuestion,
  judgePrompt,
} from './judge-prompt.js';

/** Options for asking a model to judge. */
export interface JudgeOptions
  extends Pick<AskModelOptions<never>, 'reasks' | 'temperature' | 'seed' | 'tokens'>,
    Pick<AskModelOptions<never>, 'maxOutputTokens' | 'providerOptions' | 'timeoutMs'> {
  /** The model that judges. @default the provider of the pipeline */
  readonly provider?: LLMProvider | undefined;
  /** The greatest number of tokens of the material. @default 100000 */
  readonly maxPromptTokens?: number | undefined;
  /**
   * Whether a judge may see shortened material. A failure then counts; a pass is `undecided`.
   *
   * @default false
   */
  readonly allowTruncated?: boolean | undefined;
  /** Whether the judge is shown the task. @default true */
  readonly withTask?: boolean | undefined;
}

/**
 * Waits until the service has read a prefix once. Returns a function that releases waiting calls.
 */
export type WarmUp = (
  prefix: string,
  context: Pick<ReviewerContext, 'join'>,
) => Promise<() => void>;

export interface JudgeCall {
  readonly provider: LLMProvider;
  readonly task: string | undefined;
  readonly sections: readonly PromptSection[];
  readonly questions: readonly JudgeQuestion[];
  /** The nonce of the run. The prompt gets its own one. */
  readonly nonce: string;
  readonly context: ReviewerContext | undefined;
  readonly signal: AbortSignal | undefined;
  readonly warmUp: WarmUp | undefined;
  /** The number of this call among the calls of the reviewer, from 1. @default 1 */
  readonly part?: number | undefined;
}

export interface JudgeReply {
  readonly verdicts: readonly QuestionVerdict[];
  /** Notes for the reader: cuts, and answers to questions that were not asked. */
  readonly remarks: readonly string[];
  /** Why a pass does not count, if the material was shortened. */
  readonly part: string | undefined;
}

const settings = [
  ...(['temperature', 'seed', 'maxOutputTokens', 'providerOptions'] as const),
  ...(['reasks', 'timeoutMs'] as const),
];

export async function judge(call: JudgeCall, options: JudgeOptions): Promise<JudgeReply> {
  const { provider, task, questions, context, signal } = call;
  const { maxPromptTokens = 100_000, tokens = estimatedTokens } = options;
  const fitted = await fitSections(call.sections, maxPromptTokens, tokens);
  if (fitted.cuts.length > 0 && options.allowTruncated !== true)
    throw new ReviewLoopError(
      modelErrors.view_truncated,
      `the material exceeds maxPromptTokens (${maxPromptTokens}): ${cutsOf(fitted).join('; ')}`,
    );
  const input = { task, sections: fitted.sections, questions };
  const seal = sealOf(call.nonce, [task ?? null, fitted.sections], questions);
  const prompt = fencedPrompt(judgePrompt(input, seal));
  const release =
    context &&
    (await call.warmUp?.(
      hashText(JSON.stringify([provider.id, prompt.system, prompt.messages[0]])),
      context,
    ));
  try {
    const read = (answer: JudgeAnswer) => readVerdicts(answer, questions, fitted.sections);
    const { value } = await askCounted(
      {
        ...givenOf(options, settings),
        ...prompt,
        ...{ provider, tokens, context, signal, cacheHint: 'prefix' },
        schema: questions.some(isGraded) ? GradedAnswerSchema : JudgeAnswerSchema,
        criteria: questions.map(({ criterion = '' }) => criterion),
        schemaName: (call.part ?? 1) > 1 ? `verdicts_${call.part}` : 'verdicts',
        read: sealedReading(seal, read),
      },
      async () => fitted.tokens + (await frameTokens(input, seal, tokens)),
    );
    return {
      ...value,
      remarks: [...cutsOf(fitted), ...value.remarks],
      part: partOf(fitted, call.sections, maxPromptTokens),
    };
  } finally {
    release?.();
  }
}

async function frameTokens(
  input: JudgePromptInput,
  seal: Seal,
  tokens: TokenCounter,
): Promise<number> {
  const sections = input.sections.map(({ label }) => ({ label, text: '' }));
  const { system, messages } = fencedPrompt(judgePrompt({ ...input, sections }, seal));
  return tokens.count([system, ...messages.map(({ content }) => content)].join('\n'));
}

/** A problem if no question is decided, so that the judge may try again. */
function readVerdicts(
  answer: JudgeAnswer,
  questions: readonly JudgeQuestion[],
  material: readonly PromptSection[],
): AnswerReading<Omit<JudgeReply, 'part'>> {
  const verdicts = questions.map((question, index) =>
    verdictOn(index + 1, answer, seenBy(question, material), question.scale),
  );
  const problems = verdicts.flatMap((verdict) =>
    verdict.kind === 'undecided' ? [verdict.problem] : [],
  );
  if (problems.length === questions.length) return { problem: problems.join('; ') };
  return { value: { verdicts, remarks: surplusOf(answer, questions.length) } };
}

function seenBy(
  { about = [] }: JudgeQuestion,
  sections: readonly PromptSection[],
): readonly PromptSection[] {
  return about.length === 0 ? sections : sections.filter(({ label }) => about.includes(label));
}

function cutsOf({ cuts }: FittedSections): string[] {
  return cuts.map(
    ({ label, omitted, length }) => `${label}: ${omitted} of ${length} characters left out`,
  );
}

function partOf(
  { cuts }: FittedSections,
  sections: readonly PromptSection[],
  limit: number,
): string | undefined {
  if (cuts.length === 0) return undefined;
  const total = sections.reduce((sum, { text }) => sum + text.length, 0);
  const omitted = cuts.reduce((sum, cut) => sum + cut.omitted, 0);
  return partlyShown({
    shown: total - omitted,
    total,
    unit: 'characters',
    limit: `maxPromptTokens: ${limit}`,
  });
}

function surplusOf({ answers }: JudgeAnswer, asked: number): string[] {
  const surplus = [
    ...new Set(
      answers.map(({ question }) => question).filter((number) => number < 1 || number > asked),
    ),
  ];
  return surplus.length > 0
    ? [`ignored answers to questions that were not asked: ${surplus.join(', ')}`]
    : [];
}
