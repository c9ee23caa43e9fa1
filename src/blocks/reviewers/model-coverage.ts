import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { coverageState, type RequirementCoverage } from '../../core/coverage.js';
import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { askModel } from '../models/answer/ask-model.js';
import { type AskModelOptions, checkCallOptions } from '../models/answer/ask-options.js';
import { answerToken, promptNonce } from '../models/prompt/fence.js';
import { type PromptSection, sectionsOf } from '../models/prompt/sections.js';
import { coveragePrompt, coveragePromptVersion } from './coverage-prompt.js';

export interface ModelCoverageOptions
  extends Pick<AskModelOptions<never>, 'reasks' | 'temperature' | 'seed' | 'tokens'>,
    Pick<AskModelOptions<never>, 'maxOutputTokens' | 'providerOptions' | 'timeoutMs'> {
  /** The model that judges. @default the provider of the pipeline */
  readonly provider?: LLMProvider | undefined;
  /**
   * The greatest number of tokens of the output. Nothing is decided about a larger output, because
   * the model would see only a part of it.
   *
   * @default 100000
   */
  readonly maxPromptTokens?: number | undefined;
}

/** A judge of coverage that makes its own steps. */
export interface CoverageModel {
  /** The version of its prompt, model and settings. */
  readonly version: string;
  /** Judges undecided requirements together; returns their coverage in the same order. */
  readonly judgeAll: (
    unsure: readonly RequirementCoverage[],
    subject: { readonly output: unknown },
    context: ReviewerContext,
  ) => Promise<readonly RequirementCoverage[]>;
  /** Returns the same judge with a provider. Present only while it needs one. */
  readonly withProvider?: ((provider: LLMProvider) => CoverageModel) | undefined;
}

const mostAtOnce = 40;

const AnswerSchema = builtOnUse(() =>
  z.object({
    token: z.string(),
    answers: z.array(
      z.object({
        id: z.string(),
        answer: z.enum(['satisfied', 'violated', 'cannot_tell']),
        reason: z.string(),
        quote: z.string().optional(),
        file: z.string().optional(),
      }),
    ),
  }),
);
type Answers = z.infer<typeof AnswerSchema>;

/**
 * Creates a model judge for undecided requirements, for the `judge` of `requirementCoverage`. It
 * asks about all of them in one question. The model must quote the passage that satisfies a
 * requirement. Without such a quote, if it cannot tell, and after an unusable answer, the
 * requirement stays undecided. If the model cannot be reached, the requirements are errored.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const judge = modelCoverage({ provider });
 * const coverage = requirementCoverage({ extractRequirements, checkRequirementCovered, judge });
 * ```
 */
export function modelCoverage(options: ModelCoverageOptions = {}): CoverageModel {
  checkCallOptions('modelCoverage', options, {});
  const { provider, temperature = null, seed = null, maxPromptTokens = null } = options;
  const version = digestOf([
    coveragePromptVersion,
    provider?.id ?? null,
    provider?.model ?? null,
    temperature,
    seed,
    maxPromptTokens,
  ]).slice(0, 16);
  if (provider !== undefined)
    return {
      version,
      judgeAll: (unsure, { output }, context) =>
        judgedAll({ unsure, output, context }, provider, options),
    };
  const missing = new ReviewLoopError(
    'provider_missing',
    'modelCoverage needs a model, and no provider is set',
  );
  return {
    version,
    judgeAll: () => Promise.reject(missing),
    withProvider: (given) => modelCoverage({ ...options, provider: given }),
  };
}

interface Asked {
  readonly unsure: readonly RequirementCoverage[];
  readonly output: unknown;
  readonly context: ReviewerContext;
}

async function judgedAll(
  { unsure, output, context }: Asked,
  provider: LLMProvider,
  options: ModelCoverageOptions,
): Promise<readonly RequirementCoverage[]> {
  const open = unsure.filter((one) => coverageState(one) === 'unsure');
  const { maxPromptTokens = 100_000, tokens = estimatedTokens } = options;
  const sections = sectionsOf(output);
  const counts = await Promise.all(sections.map(({ text }) => tokens.count(text)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > maxPromptTokens) {
    const { remainUnsure } = await import('./coverage-reading.js');
    const limit = `maxPromptTokens: ${maxPromptTokens}`;
    const why = `no model was asked: the output has ${total} tokens (${limit})`;
    return unsure.map((one) => (open.includes(one) ? remainUnsure(one, why) : one));
  }
  const found = new Map<RequirementCoverage, RequirementCoverage>();
  for (let from = 0; from < open.length; from += mostAtOnce) {
    const batch = open.slice(from, from + mostAtOnce);
    const judged = await judgedBatch(batch, { sections, context }, provider, options);
    for (const [index, one] of batch.entries()) found.set(one, judged[index] ?? one);
  }
  return unsure.map((one) => found.get(one) ?? one);
}

async function judgedBatch(
  batch: readonly RequirementCoverage[],
  {
    sections,
    context,
  }: { readonly sections: readonly PromptSection[]; readonly context: ReviewerContext },
  provider: LLMProvider,
  options: ModelCoverageOptions,
): Promise<readonly RequirementCoverage[]> {
  const { provider: _, maxPromptTokens: _limit, ...asking } = options;
  const requirements = batch.map(({ requirement }) => requirement);
  const key = hashText(JSON.stringify(requirements));
  const nonce = promptNonce(context.nonce, [sections, requirements]);
  const token = answerToken(nonce, requirements);
  const { CoverageReading, remainUnsure } = await import('./coverage-reading.js');
  const reading = new CoverageReading(batch, sections, asking.reasks ?? 1);
  try {
    const { value } = await askModel({
      ...asking,
      provider,
      ...coveragePrompt({ requirements, sections, nonce, token }),
      schema: AnswerSchema,
      schemaName: `coverage_${key.slice(0, 16)}`,
      read: (answer: Answers) =>
        answer.token === token
          ? reading.read(answer.answers)
          : { problem: `\`token\` must be ${token}` },
      context,
    });
    return value;
  } catch (error) {
    if (!(error instanceof ReviewLoopError) || !error.code.startsWith('answer_')) throw error;
    const why = `the model's answer could not be used (${error.what})`;
    return batch.map((unsure) => remainUnsure(unsure, why));
  }
}
