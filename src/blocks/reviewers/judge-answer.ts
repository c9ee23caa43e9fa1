import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import type { CriterionResult, Finding } from '../../core/criterion.js';
import { ReviewLoopError } from '../../core/errors.js';
import { GapSeveritySchema, type Severity } from '../../core/gap.js';
import { type Grade, gradeText, scoreOfGrade } from '../../core/grade.js';
import { placeOfQuote } from '../../core/text/quote.js';
import { modelErrors } from '../models/errors.js';
import type { PromptSection } from '../models/prompt/sections.js';

const plainAnswers = ['yes', 'no', 'not_applicable'] as const;

const entryOf = <const Answer extends string>(answers: readonly Answer[]) =>
  z.object({
    question: z.int(),
    answer: z.enum(answers),
    reason: z.string(),
    quote: z.string().optional(),
    file: z.string().optional(),
    line: z.number().optional(),
    severity: GapSeveritySchema.optional(),
    suggestedFix: z.string().optional(),
  });

/** Every service can express every member of the schema. */
export const JudgeAnswerSchema = builtOnUse(() =>
  z.object({ token: z.string(), answers: z.array(entryOf(plainAnswers)) }),
);

export const GradedAnswerSchema = builtOnUse(() =>
  z.object({
    token: z.string(),
    answers: z.array(entryOf([...plainAnswers, 'graded']).extend({ grade: z.int().optional() })),
  }),
);

export type JudgeAnswer = z.infer<typeof GradedAnswerSchema>;

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
  /** A grade on the scale of the question. What it means is for a bar to decide. */
  | {
      readonly kind: 'graded';
      readonly grade: number;
      readonly reason: string;
      readonly findings: readonly Finding[];
      readonly dropped: number;
    }
  | { readonly kind: 'undecided'; readonly problem: string };

/**
 * Returns the verdict on one question. Findings whose quote does not occur are dropped. A question
 * is undecided if no finding remains, if it has no answer, or if its answers contradict each other. A
 * grade counts only as a number on its scale, in its own member: prose holds no grade.
 *
 * @param number - Number of the question, from 1.
 * @param scale - The best grade, if the question asks for one.
 */
export function verdictOn(
  number: number,
  answer: JudgeAnswer,
  material: readonly PromptSection[],
  scale?: number,
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
  if (first.answer === 'not_applicable') return { kind: first.answer, reason: first.reason };
  if ((first.answer === 'graded') !== (scale !== undefined))
    return { kind: 'undecided', problem: `question ${number} asks for ${askedFor(scale)}` };
  if (first.answer === 'yes') return { kind: first.answer, reason: first.reason };
  const findings = entries.flatMap((entry) => findingOf(entry, material));
  const dropped = entries.length - findings.length;
  if (findings.length === 0)
    return {
      kind: 'undecided',
      problem: `the answer to question ${number} is ${first.answer}, but its quote does not occur in the material`,
    };
  const reason = entries.map((entry) => entry.reason).join(' ');
  if (scale === undefined) return { kind: 'no', reason, findings, dropped };
  const grades = [...new Set(entries.map(({ grade }) => grade))];
  const [grade] = grades;
  return grades.length === 1 && isOnScale(grade, scale)
    ? { kind: 'graded', grade, reason, findings, dropped }
    : {
        kind: 'undecided',
        problem: `question ${number} needs \`grade\` as ${askedFor(scale)}, got ${grades.map((one) => one ?? 'none').join(' and ')}`,
      };
}

function askedFor(scale: number | undefined): string {
  return scale === undefined ? 'yes or no' : `one whole number from 1 to ${scale}`;
}

function isOnScale(grade: number | undefined, scale: number): grade is number {
  return grade !== undefined && Number.isInteger(grade) && grade >= 1 && grade <= scale;
}

/** Nothing if the quote does not occur. */
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

export function pathOf(label: string): string {
  return label.replace(/^artifact /, '').replace(/ \(\d+\)$/, '');
}

export interface VerdictRules {
  readonly id: string;
  /** The share of questions whose answer must be yes, 0 to 1. */
  readonly threshold: number;
  /** The severity of every finding. @default the judge's */
  readonly severity: Severity | undefined;
  /** The scale and the bar of a criterion that is graded. @default yes and no decide */
  readonly bar?: GradeBar | undefined;
}

export interface GradeBar {
  /** The best grade; the worst is 1. */
  readonly scale: number;
  readonly passFrom: number;
}

/** A bar decides what grades mean; of several the lowest counts. */
export function resultOfVerdicts(
  { id, threshold, severity, bar }: VerdictRules,
  given: readonly QuestionVerdict[],
  remarks: readonly string[],
): CriterionResult {
  const grade = bar && lowestGrade(given, bar);
  const verdicts = given.map((verdict) => decided(verdict, bar));
  const yes = verdicts.filter(({ kind }) => kind === 'yes').length;
  const noes = verdicts.filter((verdict) => verdict.kind === 'no');
  const undecided = verdicts.filter((verdict) => verdict.kind === 'undecided');
  if (undecided.length > 0)
    throw new ReviewLoopError(
      modelErrors.answer_mismatch,
      `the judge of '${id}' left questions undecided: ${undecided.map(({ problem }) => problem).join('; ')}`,
      { retryable: true },
    );
  const asked = yes + noes.length;
  const reasons = verdicts
    .flatMap((verdict) => ('reason' in verdict ? [verdict.reason.trim()] : []))
    .filter((reason) => reason !== '');
  const details = [
    ...(grade === undefined ? [] : [`${gradeText(grade)}:`]),
    ...(noes.length > 0 ? noes.map(({ reason }) => reason) : reasons),
    ...droppedOf(noes),
    ...remarks,
  ].join(' ');
  if (asked === 0)
    return {
      passed: false,
      score: 0,
      details,
      skipped: reasons.join(' ') || 'no question concerns this output',
    };
  const score = grade === undefined ? yes / asked : scoreOfGrade(grade);
  const findings = noes.flatMap((verdict) =>
    verdict.findings.map(
      (finding): Finding => (severity === undefined ? finding : { ...finding, severity }),
    ),
  );
  return {
    passed: score > 0 && score >= threshold,
    score,
    details,
    findings,
    ...(grade !== undefined && { grade }),
  };
}

function lowestGrade(
  verdicts: readonly QuestionVerdict[],
  { scale, passFrom }: GradeBar,
): Grade | undefined {
  const grades = verdicts.flatMap((verdict) => (verdict.kind === 'graded' ? verdict.grade : []));
  return grades.length === 0 ? undefined : { given: Math.min(...grades), of: scale, passFrom };
}

/** Without a bar no grade passes. */
function decided(
  verdict: QuestionVerdict,
  { passFrom }: Pick<GradeBar, 'passFrom'> = { passFrom: Number.POSITIVE_INFINITY },
): QuestionVerdict {
  if (verdict.kind !== 'graded') return verdict;
  const { grade, ...said } = verdict;
  return grade >= passFrom ? { kind: 'yes', reason: said.reason } : { ...said, kind: 'no' };
}

function droppedOf(noes: readonly Extract<QuestionVerdict, { kind: 'no' }>[]): string[] {
  const dropped = noes.reduce((total, verdict) => total + verdict.dropped, 0);
  return dropped > 0
    ? [
        `(${dropped} unverified ${dropped === 1 ? 'finding' : 'findings'} dropped: the quote does not occur.)`,
      ]
    : [];
}
