import type { CriterionResult, Finding } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import type { Severity } from '../core/severity.js';
import { modelErrors } from '../model/errors.js';
import type { QuestionVerdict } from './judge-answer.js';

/** How verdicts on questions become the result of a criterion. */
export interface VerdictRules {
  readonly id: string;
  /** The share of questions whose answer must be yes, 0 to 1. */
  readonly threshold: number;
  /** The severity of every finding. @default the judge's */
  readonly severity: Severity | undefined;
}

/**
 * Returns the result of a criterion from the verdicts on its questions.
 *
 * @throws ReviewLoopError `answer_mismatch` if a question is undecided
 */
export function resultOfVerdicts(
  { id, threshold, severity }: VerdictRules,
  verdicts: readonly QuestionVerdict[],
  remarks: readonly string[],
): CriterionResult {
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
  const score = yes / asked;
  const findings = noes.flatMap((verdict) =>
    verdict.findings.map(
      (finding): Finding => (severity === undefined ? finding : { ...finding, severity }),
    ),
  );
  return { passed: score > 0 && score >= threshold, score, details, findings };
}

function droppedOf(noes: readonly Extract<QuestionVerdict, { kind: 'no' }>[]): string[] {
  const dropped = noes.reduce((total, verdict) => total + verdict.dropped, 0);
  return dropped > 0
    ? [
        `(${dropped} unverified ${dropped === 1 ? 'finding' : 'findings'} dropped: the quote does not occur.)`,
      ]
    : [];
}
