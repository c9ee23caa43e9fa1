import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import type { Finding } from '../core/criterion.js';
import { GapSeveritySchema } from '../core/severity.js';
import type { PromptSection } from '../model/prompt/sections.js';
import { placeOfQuote } from '../text/quote.js';

/** The answer of a judge; every service can express every member of the schema. */
export const JudgeAnswerSchema = builtOnUse(() =>
  z.object({
    token: z.string(),
    answers: z.array(
      z.object({
        question: z.int(),
        answer: z.enum(['yes', 'no', 'not_applicable']),
        reason: z.string(),
        quote: z.string().optional(),
        file: z.string().optional(),
        line: z.number().optional(),
        severity: GapSeveritySchema.optional(),
        suggestedFix: z.string().optional(),
      }),
    ),
  }),
);
export type JudgeAnswer = z.infer<typeof JudgeAnswerSchema>;
type Entry = JudgeAnswer['answers'][number];

export type QuestionVerdict =
  | { readonly kind: 'yes' | 'not_applicable'; readonly reason: string }
  /** At least one finding has a quote that occurs, or something is missing. */
  | {
      readonly kind: 'no';
      readonly reason: string;
      readonly findings: readonly Finding[];
      readonly dropped: number;
    }
  | { readonly kind: 'undecided'; readonly problem: string };

/**
 * Returns the verdict on one question. Findings whose quote does not occur are dropped. A question
 * is undecided if no finding remains, if it has no answer, or if its answers contradict each other.
 *
 * @param number - Number of the question, from 1.
 */
export function verdictOn(
  number: number,
  answer: JudgeAnswer,
  material: readonly PromptSection[],
): QuestionVerdict {
  const entries = answer.answers.filter(({ question }) => question === number);
  const kinds = new Set(entries.map((entry) => entry.answer));
  const [first] = entries;
  if (first === undefined)
    return { kind: 'undecided', problem: `question ${number} has no answer` };
  if (kinds.size > 1)
    return {
      kind: 'undecided',
      problem: `the answers to question ${number} contradict each other: ${[...kinds].join(' and ')}`,
    };
  if (first.answer !== 'no') return { kind: first.answer, reason: first.reason };
  const findings = entries.flatMap((entry) => findingOf(entry, material));
  const dropped = entries.length - findings.length;
  if (findings.length === 0)
    return {
      kind: 'undecided',
      problem: `the answer to question ${number} is no, but its quote does not occur in the material`,
    };
  return { kind: 'no', reason: entries.map(({ reason }) => reason).join(' '), findings, dropped };
}

/** Returns a finding with its place; nothing if its quote does not occur. */
function findingOf(
  { reason, quote = '', file, line, severity, suggestedFix }: Entry,
  material: readonly PromptSection[],
): Finding[] {
  const base = {
    description: reason.trim() === '' ? 'no' : reason,
    ...(severity && { severity }),
    ...(suggestedFix && { suggestedFix }),
  };
  const named =
    file === undefined
      ? undefined
      : material.find(({ label }) => pathOf(label) === file || label === file);
  if (quote.trim() === '')
    return [
      {
        ...base,
        ...(named && { file: pathOf(named.label), ...(isLine(line, named) && { line }) }),
      },
    ];
  for (const section of named === undefined
    ? material
    : [named, ...material.filter((other) => other !== named)]) {
    const found = placeOfQuote(quote, section.text);
    if (found !== undefined)
      return [{ ...base, file: pathOf(section.label), line: found.line, evidence: found.evidence }];
  }
  return [];
}

function isLine(line: number | undefined, { text }: PromptSection): line is number {
  return (
    line !== undefined && Number.isInteger(line) && line >= 1 && line <= text.split('\n').length
  );
}

/** Returns the path of an artifact from the label of its section. */
export function pathOf(label: string): string {
  return label.replace(/^artifact /, '').replace(/ \(\d+\)$/, '');
}
