import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { call } from '../../core/options.js';
import { placeOfQuote, type QuotePlace } from '../../core/text/quote.js';
import { systemRandom } from '../../ports/random.js';
import { estimatedTokens } from '../../ports/token-counter.js';
import { askFenced, type FencedQuestion, type Seal, sealOf } from '../models/answer/ask-fenced.js';
import {
  type AnswerReading,
  type AskModelOptions,
  checkCallOptions,
} from '../models/answer/ask-options.js';
import { modelErrors } from '../models/errors.js';
import { fence, untrusted, wholeAnswer } from '../models/prompt/fence.js';
import { dedupeRequirements } from './dedupe.js';
import type { Requirement } from './requirement.js';
import type { RequirementStrategy, StrategyContext } from './strategy.js';
import { isBound, statedStrength } from './strength.js';

export interface ModelRequirementsOptions
  extends Pick<AskModelOptions<never>, 'reasks' | 'temperature' | 'seed' | 'tokens'>,
    Pick<AskModelOptions<never>, 'maxOutputTokens' | 'providerOptions' | 'timeoutMs'> {
  /** The model. @default the provider of the pipeline */
  readonly provider?: LLMProvider | undefined;
  /**
   * The maximum size of a task, in tokens. A longer task is refused, because a part of it has only
   * a part of the requirements.
   *
   * @default 100000
   */
  readonly maxPromptTokens?: number | undefined;
  /**
   * Receives the model's quotes that do not occur in the task. They are ignored.
   *
   * @default none
   */
  readonly onInvented?: ((quotes: readonly string[]) => void) | undefined;
}

const AnswerSchema = builtOnUse(() =>
  z.object({
    token: z.string(),
    requirements: z.array(
      z.object({ quote: z.string(), strength: z.enum(['MUST', 'SHOULD', 'MAY']) }),
    ),
  }),
);
type Entry = z.infer<typeof AnswerSchema>['requirements'][number];

/**
 * Creates a strategy that asks a model for the requirements of a text. Each requirement is a span
 * of the text with its lines. Quotes that do not occur in the text are ignored.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const strategy = [explicitRequirements, modelRequirements({ provider })];
 * const extractor = new RequirementExtractor({ strategy });
 * ```
 */
export function modelRequirements(options: ModelRequirementsOptions = {}): RequirementStrategy {
  checkCallOptions('modelRequirements', options, { onInvented: call });
  const { provider } = options;
  if (provider !== undefined) {
    return Object.assign(
      (text: string, context?: StrategyContext) =>
        requirementsBy({ ...options, provider }, text, context),
      { makesSteps: true },
    );
  }
  const missing: RequirementStrategy = () =>
    Promise.reject(
      new ReviewLoopError(
        'provider_missing',
        'modelRequirements has no provider: set `provider`, or use it in a pipeline with one',
      ),
    );
  return Object.assign(missing, {
    makesSteps: true,
    withProvider: (given: LLMProvider) => modelRequirements({ ...options, provider: given }),
  });
}

async function requirementsBy(
  options: ModelRequirementsOptions & { readonly provider: LLMProvider },
  text: string,
  context: StrategyContext | undefined,
): Promise<Requirement[]> {
  const { maxPromptTokens = 100_000, onInvented, ...asking } = options;
  const size = await (options.tokens ?? estimatedTokens).count(text);
  if (size > maxPromptTokens)
    throw new ReviewLoopError(
      modelErrors.view_truncated,
      `the task has ${size} tokens, more than maxPromptTokens: ${maxPromptTokens}`,
    );
  const seal = sealOf(context?.nonce ?? systemRandom.nonce(), text, 'requirements');
  const { found, invented } = await askFenced({
    maxOutputTokens: 8000,
    ...asking,
    ...{ context, seal },
    fenced: requirementsPrompt(text, seal),
    schema: AnswerSchema,
    schemaName: 'requirements',
    read: ({ requirements }): AnswerReading<LocatedRequirements> => {
      const value = located(requirements, text);
      return requirements.length > 0 && value.found.length === 0
        ? { problem: 'no `quote` occurs in the task; copy them character by character' }
        : { value };
    },
  });
  if (invented.length > 0) onInvented?.(invented);
  return dedupeRequirements(found.sort((a, b) => a.line - b.line));
}

interface LocatedRequirements {
  readonly found: Requirement[];
  readonly invented: readonly string[];
}

function located(entries: readonly Entry[], text: string): LocatedRequirements {
  const taken = new Set<number>();
  const found: Requirement[] = [];
  const invented: string[] = [];
  for (const { quote, strength } of entries) {
    const place = freePlace(quote, text, taken);
    const said = place === undefined ? '' : bare(place.evidence);
    if (place === undefined || !isTelling(said)) {
      invented.push(quote);
      continue;
    }
    taken.add(place.offset);
    const endLine = place.line + place.evidence.trimEnd().split('\n').length - 1;
    found.push({
      text: said,
      source: 'explicit',
      kind: 'quoted',
      strength: statedStrength(said) ?? (strength === 'MAY' && isBound(said) ? 'MUST' : strength),
      line: place.line,
      endLine,
      section: [],
    });
  }
  return { found, invented };
}

/** Returns the first place of a quote that no other quote has taken, or else its first place. */
function freePlace(
  quote: string,
  text: string,
  taken: ReadonlySet<number>,
): QuotePlace | undefined {
  const wanted = quote.trim();
  const first = placeOfQuote(wanted, text);
  for (let place = first; place !== undefined; place = placeOfQuote(wanted, text, place.offset + 1))
    if (!taken.has(place.offset)) return place;
  return first;
}

function bare(span: string): string {
  return span
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?/, '');
}

/** More than one common word. */
function isTelling(span: string): boolean {
  const words = span.match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.length > 1 ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u.test(span)
  );
}

function requirementsPrompt(text: string, { nonce, token }: Seal): FencedQuestion {
  return {
    system: [
      'You read a task and list what it demands. List only what the task says.',
      '',
      untrusted(nonce, 'the task'),
      '',
      'A requirement is one thing about the result that a reviewer can check. ' +
        'Background, reasons, examples, quotations of others, headings, and what the ' +
        'task names as out of scope are none.',
      '',
      `${wholeAnswer} "token" repeats the token that stands behind the task, ` +
        '"requirements" holds an entry for each requirement, in the order of the task; ' +
        'an empty list when it demands nothing:',
      '- "quote": the words of the task that state it, copied character by character; ' +
        'a whole sentence or item, not more.',
      '- "strength": "MUST" when it is binding, "SHOULD" when it is wanted, "MAY" when ' +
        'it is optional.',
    ],
    material: [fence('task', text, nonce)],
    question: `List the requirements of the task. The token is ${token}.`,
  };
}
