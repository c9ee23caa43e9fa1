import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { coverageState, type RequirementCoverage } from '../core/coverage.js';
import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, checkPositive, checkWhole } from '../core/options.js';
import type { ReviewerContext } from '../core/reviewer.js';
import { askModel } from '../model/answer/ask-model.js';
import {
  type AnswerReading,
  type AskModelOptions,
  checkProvider,
} from '../model/answer/ask-options.js';
import { fitSections } from '../model/prompt/fit-sections.js';
import { type PromptSection, sectionsOf } from '../model/prompt/sections.js';
import { estimatedTokens } from '../ports/token-counter.js';
import { weaknessOf } from '../requirements/weak-evidence.js';
import { placeOfQuote, type QuotePlace } from '../text/quote.js';
import { coveragePrompt, coveragePromptVersion } from './coverage-prompt.js';
import { pathOf } from './judge-answer.js';

/** Options of {@link modelCoverage}. */
export interface ModelCoverageOptions
  extends Pick<
    AskModelOptions<never>,
    | 'reasks'
    | 'temperature'
    | 'seed'
    | 'maxOutputTokens'
    | 'providerOptions'
    | 'timeoutMs'
    | 'tokens'
  > {
  /** The model that judges. @default the provider of the pipeline */
  readonly provider?: LLMProvider | undefined;
  /**
   * The greatest number of tokens of the output. With a shortened output, only `covered` counts.
   *
   * @default 100000
   */
  readonly maxPromptTokens?: number | undefined;
}

/** A judge of coverage that makes its own steps. */
export interface CoverageModel {
  /** The version of its prompt, model and settings. */
  readonly version: string;
  /** Judges one unsure requirement. */
  readonly judge: (
    unsure: RequirementCoverage,
    subject: { readonly output: unknown },
    context: ReviewerContext,
  ) => Promise<RequirementCoverage>;
  /** Returns the same judge with a provider. Present only while it needs one. */
  readonly withProvider?: ((provider: LLMProvider) => CoverageModel) | undefined;
}

const AnswerSchema = builtOnUse(() =>
  z.object({
    token: z.string(),
    answer: z.enum(['covered', 'not_covered', 'unsure']),
    reason: z.string(),
    quote: z.string().optional(),
    file: z.string().optional(),
  }),
);
type Answer = z.infer<typeof AnswerSchema>;

/**
 * Creates a model judge for unsure requirements, for the `judge` of `requirementCoverage`. The
 * model must quote the passage that covers a requirement. Without such a quote, and after an
 * unusable answer, the requirement stays unsure. If the model cannot be reached, the requirement is
 * errored.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const judge = modelCoverage({ provider });
 * const coverage = requirementCoverage({ extractRequirements, checkRequirementCovered, judge });
 * ```
 */
export function modelCoverage(options: ModelCoverageOptions = {}): CoverageModel {
  checkKeys('modelCoverage', options, [
    'provider',
    'maxPromptTokens',
    'reasks',
    'temperature',
    'seed',
    'maxOutputTokens',
    'providerOptions',
    'timeoutMs',
    'tokens',
  ]);
  checkWhole('reasks', options.reasks ?? 1, 0);
  for (const name of ['maxPromptTokens', 'maxOutputTokens', 'timeoutMs'] as const)
    checkPositive(name, options[name]);
  const { provider, temperature = null, seed = null, maxPromptTokens = null } = options;
  if (provider !== undefined) checkProvider(provider);
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
      judge: (unsure, { output }, context) =>
        judged({ unsure, output, context }, provider, options),
    };
  const missing = new ReviewLoopError(
    'provider_missing',
    'modelCoverage needs a model, and no provider is set',
  );
  return {
    version,
    judge: () => Promise.reject(missing),
    withProvider: (given) => modelCoverage({ ...options, provider: given }),
  };
}

interface Asked {
  readonly unsure: RequirementCoverage;
  readonly output: unknown;
  readonly context: ReviewerContext;
}

async function judged(
  { unsure, output, context }: Asked,
  provider: LLMProvider,
  options: ModelCoverageOptions,
): Promise<RequirementCoverage> {
  if (coverageState(unsure) !== 'unsure') return unsure;
  const { provider: _, maxPromptTokens = 100_000, ...asking } = options;
  const { requirement } = unsure;
  const { sections, cuts } = await fitSections(
    sectionsOf(output),
    maxPromptTokens,
    options.tokens ?? estimatedTokens,
  );
  const token = hashText(JSON.stringify([context.nonce, requirement])).slice(0, 12);
  const prompt = coveragePrompt({ requirement, sections, nonce: context.nonce, token });
  const schemaName = `coverage_${hashText(requirement).slice(0, 16)}`;
  try {
    const { value } = await askModel({
      ...asking,
      provider,
      ...prompt,
      schema: AnswerSchema,
      schemaName,
      read: (answer) =>
        answer.token === token
          ? coverageBy(answer, { unsure, sections, cut: cuts.length > 0 })
          : { problem: `\`token\` must be ${token}` },
      context,
    });
    return value;
  } catch (error) {
    if (!(error instanceof ReviewLoopError) || !error.code.startsWith('answer_')) throw error;
    return remainUnsure(unsure, `the model's answer could not be used (${error.what})`);
  }
}

/** Returns the place of the quoted passage; the named file is searched first. */
function quotePlace(
  { quote = '', file }: Answer,
  sections: readonly PromptSection[],
): (QuotePlace & { readonly file: string }) | undefined {
  if ((quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 4) return undefined;
  const named = sections.filter(({ label }) => pathOf(label) === file || label === file);
  for (const { label, text } of [...named, ...sections]) {
    const place = placeOfQuote(quote, text);
    if (place !== undefined) return { ...place, file: pathOf(label) };
  }
  return undefined;
}

function coverageBy(
  answer: Answer,
  {
    unsure,
    sections,
    cut,
  }: {
    readonly unsure: RequirementCoverage;
    readonly sections: readonly PromptSection[];
    readonly cut: boolean;
  },
): AnswerReading<RequirementCoverage> {
  const said = `${answer.reason.trim() || answer.answer} (said by a model)`;
  if (answer.answer === 'unsure') return { value: remainUnsure(unsure, said) };
  if (answer.answer === 'not_covered')
    return {
      value: cut
        ? remainUnsure(unsure, `${said}, which did not see all of the output`)
        : {
            ...withoutProbability(unsure),
            covered: false,
            state: 'uncovered',
            coverageDetails: said,
          },
    };
  const place = quotePlace(answer, sections);
  if (place === undefined)
    return {
      problem:
        'the `quote` does not occur in the output, or says too little; ' +
        'copy the passage that covers the requirement character by character',
    };
  const doubt = weaknessOf(unsure.requirement, place.evidence);
  if (doubt === 'planned' || doubt === 'restated')
    return { problem: `the \`quote\` is ${doubt}, which does not cover the requirement` };
  const shown = {
    file: place.file,
    line: place.line,
    quote: place.evidence,
    share: unsure.confidence,
  };
  return {
    value: {
      ...withoutProbability(unsure),
      covered: true,
      state: 'covered',
      coverageDetails: said,
      evidenceLocation: `${place.file}:${place.line}`,
      evidence: [shown, ...(unsure.evidence ?? [])],
    },
  };
}

/** The probability came from words, and the model's verdict replaces it. */
function withoutProbability({
  probability: _,
  ...unsure
}: RequirementCoverage): RequirementCoverage {
  return unsure;
}

function remainUnsure(unsure: RequirementCoverage, why: string): RequirementCoverage {
  return {
    ...unsure,
    covered: false,
    state: 'unsure',
    coverageDetails: [unsure.coverageDetails, why].filter((part) => part !== '').join('; '),
  };
}
