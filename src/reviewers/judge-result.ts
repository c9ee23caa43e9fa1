import type { CriterionResult, Finding } from '../core/criterion.js';
import { ReviewLoopError } from '../core/errors.js';
import type { Severity } from '../core/severity.js';
import { modelErrors } from '../model/errors.js';
import type { QuestionVerdict } from './judge-answer.js';

/** What a criterion makes of verdicts. */
export interface VerdictRules {
  readonly id: string;
  /** The share of questions that must be answered with yes. */
  readonly threshold: number;
  /** Counts for every finding; what the judge says where it is not given. */
  readonly severity: Severity | undefined;
}

/**
 * The result of a criterion, computed from the verdicts on its questions.
 *
 * @throws ReviewLoopError `answer_mismatch` when a question is undecided, whatever the others say
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
      `the judge of ${id} left questions open: ${undecided.map(({ problem }) => problem).join('; ')}`,
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
