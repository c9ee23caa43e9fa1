import type { RequirementCoverage } from '../../core/coverage.js';
import { plural } from '../../core/plural.js';
import { placeOfQuote, type QuotePlace } from '../../core/text/quote.js';
import type { AnswerReading } from '../models/answer/ask-options.js';
import type { PromptSection } from '../models/prompt/sections.js';
import { weaknessOf } from '../requirements/evidence.js';
import { requirementId } from './coverage-prompt.js';
import { pathOf } from './judge-answer.js';

interface Answer {
  readonly id: string;
  readonly answer: 'satisfied' | 'violated' | 'cannot_tell';
  readonly reason: string;
  readonly quote?: string | undefined;
  readonly file?: string | undefined;
}

type Read = { readonly coverage: RequirementCoverage } | { readonly problem: string };

/**
 * The model may correct itself; after its last attempt, what is still unusable stays undecided, and
 * the rest counts.
 */
export class CoverageReading {
  readonly #batch: readonly RequirementCoverage[];
  readonly #shown: readonly PromptSection[];
  #attemptsLeft: number;

  constructor(
    batch: readonly RequirementCoverage[],
    shown: readonly PromptSection[],
    reasks: number,
  ) {
    this.#batch = batch;
    this.#shown = shown;
    this.#attemptsLeft = reasks;
  }

  read(answers: readonly Answer[]): AnswerReading<readonly RequirementCoverage[]> {
    const read = this.#batch.map((unsure, index): Read => {
      const id = requirementId(index);
      const own = answers.filter((answer) => answer.id === id);
      const [answer] = own;
      if (answer === undefined || own.length > 1)
        return { problem: `answer ${id} exactly once, not ${plural(own.length, 'time')}` };
      return coverageBy(answer, unsure, this.#shown);
    });
    const problems = read.flatMap((one) => ('problem' in one ? [one.problem] : []));
    this.#attemptsLeft -= 1;
    if (problems.length > 0 && this.#attemptsLeft >= 0) return { problem: problems.join('; ') };
    return {
      value: this.#batch.map((unsure, index) => {
        const one = read[index];
        if (one === undefined) return unsure;
        return 'problem' in one
          ? remainUnsure(unsure, `the model's answer could not be used: ${one.problem}`)
          : one.coverage;
      }),
    };
  }
}

export function remainUnsure(unsure: RequirementCoverage, why: string): RequirementCoverage {
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
    return { coverage: decided(unsure, { said, place, covered: false }) };
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
  return { coverage: decided(unsure, { said, place, covered: true }) };
}

type Place = QuotePlace & { readonly file: string };

/** The probability came from words, and the model's verdict replaces it. */
function decided(
  { probability: _, ...unsure }: RequirementCoverage,
  {
    said,
    place,
    covered,
  }: { readonly said: string; readonly place: Place | undefined; readonly covered: boolean },
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
    coverageDetails: said,
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
