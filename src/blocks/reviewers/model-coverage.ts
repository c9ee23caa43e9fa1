import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { coverageState, type RequirementCoverage } from '../../core/coverage.js';
import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { plural } from '../../core/plural.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import { placeOfQuote, type QuotePlace } from '../../core/text/quote.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { askFenced, type FencedQuestion, type Seal, sealOf } from '../models/answer/ask-fenced.js';
import {
  type AnswerReading,
  type AskModelOptions,
  checkCallOptions,
} from '../models/answer/ask-options.js';
import { fence, untrusted, wholeAnswer } from '../models/prompt/fence.js';
import { type PromptSection, sectionsOf } from '../models/prompt/sections.js';
import { weaknessOf } from '../requirements/evidence.js';
import { pathOf } from './judge-answer.js';

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

/** Raise it when the words of the prompt change: then no cached verdict matches. */
const coveragePromptVersion = 3;

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

type Answer = z.infer<typeof AnswerSchema>['answers'][number];

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
  { provider: _, maxPromptTokens: _limit, ...asking }: ModelCoverageOptions,
): Promise<readonly RequirementCoverage[]> {
  const requirements = batch.map(({ requirement }) => requirement);
  const key = hashText(JSON.stringify(requirements));
  const seal = sealOf(context.nonce, [sections, requirements], requirements);
  const read = coverageReader(batch, sections, asking.reasks ?? 1);
  try {
    return await askFenced({
      ...asking,
      ...{ provider, context, seal, cacheHint: 'prefix' },
      fenced: coveragePrompt(requirements, sections, seal),
      schema: AnswerSchema,
      schemaName: `coverage_${key.slice(0, 16)}`,
      read: ({ answers }: z.infer<typeof AnswerSchema>) => read(answers),
    });
  } catch (error) {
    if (!(error instanceof ReviewLoopError) || !error.code.startsWith('answer_')) throw error;
    const why = `the model's answer could not be used (${error.what})`;
    return batch.map((unsure) => remainUnsure(unsure, why));
  }
}

/** The output comes first: all questions about it share it. */
function coveragePrompt(
  requirements: readonly string[],
  sections: readonly PromptSection[],
  { nonce, token }: Seal,
): FencedQuestion {
  return {
    system: [
      'You judge whether an output satisfies requirements. Be strict and exact, and judge only ' +
        'what you see. A plan, a promise, a TODO or the requirement said again satisfies nothing.',
      '',
      untrusted(nonce),
      '',
      `${wholeAnswer} "token" repeats the token after the requirements. "answers" has one entry ` +
        'for each requirement:',
      '"id": the id of the requirement.',
      '"answer": "satisfied" if the output does all of it, "violated" if the output lacks some ' +
        'of it or does the contrary, "cannot_tell" if the output does not let you tell.',
      '"reason": one or two sentences.',
      '"quote": for "satisfied", the passage that shows it, copied character by character from ' +
        'the output; for "violated", the passage that violates it, if there is one.',
      '"file": the path of the artifact that the quote is from.',
    ],
    material: [
      'The output to judge:',
      ...sections.map(({ label, text }) => fence(label, text, nonce)),
    ],
    question: [
      'The requirements:',
      ...requirements.map((text, index) => fence(requirementId(index), text, nonce)),
      `Which of them does the output satisfy? The token is ${token}.`,
    ].join('\n\n'),
  };
}

function requirementId(index: number): string {
  return `R${index + 1}`;
}

type Read = { readonly coverage: RequirementCoverage } | { readonly problem: string };

/**
 * The model may correct itself; after its last attempt, what is still unusable stays undecided, and
 * the rest counts.
 */
function coverageReader(
  batch: readonly RequirementCoverage[],
  shown: readonly PromptSection[],
  reasks: number,
): (answers: readonly Answer[]) => AnswerReading<readonly RequirementCoverage[]> {
  let attemptsLeft = reasks;
  return (answers) => {
    const read = batch.map((unsure, index) => {
      const id = requirementId(index);
      const own = answers.filter((answer) => answer.id === id);
      const [answer] = own;
      const one: Read =
        answer === undefined || own.length > 1
          ? { problem: `answer ${id} exactly once, not ${plural(own.length, 'time')}` }
          : coverageBy(answer, unsure, shown);
      return { ...one, unsure };
    });
    const problems = read.flatMap((one) => ('problem' in one ? [one.problem] : []));
    attemptsLeft -= 1;
    if (problems.length > 0 && attemptsLeft >= 0) return { problem: problems.join('; ') };
    return {
      value: read.map((one) =>
        'problem' in one
          ? remainUnsure(one.unsure, `the model's answer could not be used: ${one.problem}`)
          : one.coverage,
      ),
    };
  };
}

function remainUnsure(unsure: RequirementCoverage, why: string): RequirementCoverage {
  return {
    ...unsure,
    covered: false,
    state: 'unsure',
    coverageDetails: [unsure.coverageDetails, why].filter((part) => part !== '').join('; '),
  };
}

function coverageBy(
  answer: Answer,
  unsure: RequirementCoverage,
  sections: readonly PromptSection[],
): Read {
  const said = `${answer.reason.trim() || answer.answer} (said by a model)`;
  if (answer.answer === 'cannot_tell') return { coverage: remainUnsure(unsure, said) };
  const place = quotePlace(answer, sections);
  if (answer.answer === 'violated') {
    if (answer.quote !== undefined && answer.quote !== '' && place === undefined)
      return { problem: `the \`quote\` of ${answer.id} does not occur in the output` };
    return { coverage: decided(unsure, said, false, place) };
  }
  if (place === undefined)
    return {
      problem:
        `the \`quote\` of ${answer.id} does not occur in the output, or says too little; ` +
        'copy the passage that satisfies the requirement character by character',
    };
  const doubt = weaknessOf(unsure.requirement, place.evidence);
  if (doubt === 'planned' || doubt === 'restated')
    return { problem: `the \`quote\` of ${answer.id} is ${doubt}, which satisfies nothing` };
  return { coverage: decided(unsure, said, true, place) };
}

type Place = QuotePlace & { readonly file: string };

/** The probability came from words, and the model's verdict replaces it. */
function decided(
  { probability: _, ...unsure }: RequirementCoverage,
  coverageDetails: string,
  covered: boolean,
  place: Place | undefined,
): RequirementCoverage {
  const shown = place && {
    file: place.file,
    line: place.line,
    quote: place.evidence,
    share: unsure.confidence,
  };
  return {
    ...unsure,
    covered,
    state: covered ? 'covered' : 'uncovered',
    coverageDetails,
    decidedBy: 'model',
    ...(shown && {
      evidenceLocation: `${shown.file}:${shown.line}`,
      evidence: [shown, ...(unsure.evidence ?? [])],
    }),
  };
}

/** The named file is searched first. */
function quotePlace(
  { quote = '', file }: Answer,
  sections: readonly PromptSection[],
): Place | undefined {
  if ((quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 4) return undefined;
  const named = sections.filter(({ label }) => pathOf(label) === file || label === file);
  for (const { label, text } of [...named, ...sections]) {
    const place = placeOfQuote(quote, text);
    if (place !== undefined) return { ...place, file: pathOf(label) };
  }
  return undefined;
}
