import * as z from 'zod';
import type { Assessment, Comparison } from '../../core/assessment.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { filled } from '../../core/options.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../../core/reviewer.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { taskText } from '../address/address-prompt.js';
import { askFenced, type FencedQuestion, type Seal, sealOf } from '../models/answer/ask-fenced.js';
import { checkCallOptions, checkProvider } from '../models/answer/ask-options.js';
import { modelErrors } from '../models/errors.js';
import { fence, untrusted, wholeAnswer } from '../models/prompt/fence.js';
import { type PromptSection, sectionsOf } from '../models/prompt/sections.js';
import type { JudgeOptions } from './judge.js';
import { taskMaterial } from './judge-prompt.js';
import { erroredOnFailure } from './llm-criterion.js';

export interface PairwiseOptions
  extends Pick<JudgeOptions, 'temperature' | 'seed' | 'maxOutputTokens' | 'providerOptions'>,
    Pick<JudgeOptions, 'reasks' | 'timeoutMs'> {
  /** Unique in the pipeline. @default 'pairwise' */
  readonly id?: string | undefined;
  /** The question to compare by. @default 'Which output does better what the task asks for?' */
  readonly question?: string | undefined;
  /** The model that compares. @default the provider of the pipeline */
  readonly provider?: LLMProvider | undefined;
  /**
   * The greatest number of tokens of both versions; more is an error, nothing is cut.
   *
   * @default 100000
   */
  readonly maxPromptTokens?: number | undefined;
}

const PreferenceSchema = builtOnUse(() =>
  z.object({ token: z.string(), better: z.enum(['A', 'B', 'tie']), reason: z.string() }),
);

/**
 * Creates a reviewer that compares each version with the best one before it, in both orders. A
 * preference that changes with the order is a tie. The assessment's `comparison` is for the ranking
 * `preferred`: it counts in no score and approves nothing. It makes 2 calls for each version but
 * the first.
 *
 * After MT-Bench and Shi et al.: position bias is systematic, and swapping the order shows it.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = [pairwise({ provider })];
 * const pipeline = definePipeline({ produce, address, criteria, reviewers, ranking: preferred() });
 * ```
 */
export function pairwise(options: PairwiseOptions = {}): Reviewer<unknown, unknown> {
  checkCallOptions('pairwise', options, table, ['tokens']);
  const {
    id = 'pairwise',
    provider,
    question = defaultQuestion,
    temperature = null,
    seed = null,
  } = options;
  return {
    id,
    version: digestOf([
      'pairwise',
      pairwisePromptVersion,
      question,
      provider?.id ?? null,
      provider?.model ?? null,
      temperature,
      seed,
    ]).slice(0, 16),
    tier: 'model',
    reuse: 'run',
    ...(provider === undefined && {
      withProvider: (inherited: LLMProvider) => pairwise({ ...options, provider: inherited }),
    }),
    review: (subject, context) =>
      erroredOnFailure(id, async () => {
        const { best, iteration } = context;
        if (best !== undefined) return compare(options, subject, context, best);
        const nothing = { with: iteration, result: 'tie', flipped: false } as const;
        return assessed(id, nothing, 'no earlier version to compare with');
      }),
  };
}

const defaultQuestion = 'Which output does better what the task asks for?';

async function compare(
  options: PairwiseOptions,
  { task, output }: ReviewSubject<unknown, unknown>,
  context: ReviewerContext,
  best: NonNullable<ReviewerContext['best']>,
): Promise<Assessment> {
  const { id = 'pairwise', maxPromptTokens = 100_000 } = options;
  const now = sectionsOf(output);
  const before = sectionsOf(best.output);
  const tokens = await estimatedTokens.count(
    [...now, ...before].map(({ text }) => text).join('\n'),
  );
  if (tokens > maxPromptTokens)
    throw new ReviewLoopError(
      modelErrors.view_truncated,
      `both versions have about ${tokens} tokens, and maxPromptTokens is ${maxPromptTokens}`,
    );
  const asked = { options, context, task: taskText(task ?? '').trim() || undefined };
  const [straight, swapped] = await Promise.all([
    prefer(asked, 'straight', now, before),
    prefer(asked, 'swapped', before, now),
  ]);
  const flipped = straight.better !== 'tie' && straight.better === swapped.better;
  const agreed = straight.better !== 'tie' && swapped.better !== 'tie' && !flipped;
  const result = agreed ? (straight.better === 'A' ? 'better' : 'worse') : 'tie';
  const comparison: Comparison = { with: best.iteration, result, flipped };
  const explanation =
    `${result} than version ${best.iteration}${flipped ? ': the preference changed with the order' : ''}. ${straight.reason}`.replace(
      'tie than',
      'tie with',
    );
  return assessed(id, comparison, explanation);
}

/** A pass says only that two versions were compared. */
function assessed(criterion: string, comparison: Comparison, explanation: string): Assessment {
  return { verdict: 'pass', criterion, score: 1, explanation, gaps: [], comparison };
}

interface Asked {
  readonly options: PairwiseOptions;
  readonly context: ReviewerContext;
  readonly task: string | undefined;
}

function prefer(
  { options: { id: _, question = defaultQuestion, provider, ...asking }, context, task }: Asked,
  name: string,
  first: readonly PromptSection[],
  second: readonly PromptSection[],
): Promise<z.infer<typeof PreferenceSchema>> {
  checkProvider(provider);
  const { maxPromptTokens: _limit, ...settings } = asking;
  const seal = sealOf(context.nonce, [task ?? '', first, second], [name, question]);
  return askFenced({
    ...settings,
    provider,
    seal,
    fenced: pairwisePrompt({ task, question, first, second }, seal),
    schema: PreferenceSchema,
    schemaName: `preference_${name}`,
    context,
    read: (value) => ({ value }),
  });
}

const table = { id: filled('a non-empty string'), question: filled('a non-empty string') };

/**
 * Part of every comparison's key. Raise it when the words below change: then no recorded comparison
 * matches.
 */
const pairwisePromptVersion = 2;

interface PairwisePromptInput {
  readonly task: string | undefined;
  readonly question: string;
  readonly first: readonly PromptSection[];
  readonly second: readonly PromptSection[];
}

function pairwisePrompt(
  { task, question, first, second }: PairwisePromptInput,
  { nonce, token }: Seal,
): FencedQuestion {
  const shown = (name: string, sections: readonly PromptSection[]): string[] => [
    `Output ${name}:`,
    ...sections.map(({ label, text }) => fence(`${name} ${label}`, text, nonce)),
  ];
  return {
    system: [
      'You compare two outputs, A and B, that were made for the same task. Be strict and ' +
        'exact, and judge only what you see. Neither their order nor their length is a reason.',
      '',
      untrusted(nonce),
      '',
      `${wholeAnswer} "token" repeats the token that stands behind the question, "better" ` +
        'is "A", "B", or "tie" when neither is better, "reason" is one or two sentences.',
    ],
    material: [...taskMaterial(task, nonce), ...shown('A', first), ...shown('B', second)],
    question: `Question: ${question.trim()}\n\nThe token is ${token}.`,
  };
}
