import type { CriterionResult, Finding } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import type { Severity } from '../core/gap.js';
import { type Grade, gradeText, scoreOfGrade } from '../core/grade.js';
import { modelErrors } from '../model/errors.js';
import type { QuestionVerdict } from './judge-answer.js';

/** How verdicts on questions become the result of a criterion. */
export interface VerdictRules {
  readonly id: string;
  /** The share of questions whose answer must be yes, 0 to 1. */
  readonly threshold: number;
  /** The severity of every finding. @default the judge's */
  readonly severity: Severity | undefined;
  /** The scale and the bar of a criterion that is graded. @default yes and no decide */
  readonly bar?: GradeBar | undefined;
}

/** A scale of grades, and the least grade that passes. */
export interface GradeBar {
  /** The best grade; the worst is 1. */
  readonly scale: number;
  readonly passFrom: number;
}

/**
 * Returns the result of a criterion from the verdicts on its questions. A bar decides what grades mean;
 * of several the lowest counts.
 *
 * @throws ReviewLoopError `answer_mismatch` if a question is undecided
 */
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
