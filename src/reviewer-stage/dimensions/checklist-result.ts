import { checkedErrors } from '../../core/checked-errors.js';
import { ReviewLoopError } from '../../core/errors.js';
import { modelErrors } from '../../model/errors.js';
import type { QuestionVerdict } from '../../reviewers/judge-answer.js';
import type { DimensionIssue, DimensionResult } from '../dimension.js';
import { levelOfIssues } from '../quality-level.js';

/**
 * Returns the result of a dimension: the issues that code found, and one for each finding of a `no`
 * answer.
 *
 * @throws ReviewLoopError `answer_mismatch`, `reviewer_invalid`
 */
export function checklistResult(
  id: string,
  found: readonly DimensionIssue[],
  answers: readonly QuestionVerdict[],
): DimensionResult {
  const problems = answers.flatMap((verdict) =>
    verdict.kind === 'undecided' ? [verdict.problem] : [],
  );
  if (problems.length > 0)
    throw new ReviewLoopError(
      modelErrors.answer_mismatch,
      `the judge of ${id} did not answer every question: ${problems.join('; ')}`,
      { retryable: true },
    );
  const verdicts = answers.filter((verdict) => verdict.kind !== 'undecided');
  const noes = verdicts.filter((verdict) => verdict.kind === 'no');
  if (found.length === 0 && noes.length === 0 && !verdicts.some(({ kind }) => kind === 'yes')) {
    throw new ReviewLoopError(
      checkedErrors.reviewer_invalid,
      `the judge of ${id} found no question that concerns this work`,
    );
  }
  const issues = [...found, ...noes.flatMap(({ findings }) => findings.map(issueOf))];
  const dropped = noes.reduce((sum, verdict) => sum + verdict.dropped, 0);
  const reasons =
    issues.length > 0
      ? [...found.map(({ message }) => message), ...noes.map(({ reason }) => reason)]
      : verdicts.map(({ reason }) => reason);
  const explanations = [
    ...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== '')),
  ];
  return {
    level: levelOfIssues(issues),
    explanation: [
      ...explanations,
      ...(dropped > 0 ? [`(${dropped} unverified: the quote does not occur.)`] : []),
    ].join(' '),
    issues,
  };
}

function issueOf({
  description,
  file,
  line,
  suggestedFix,
  severity,
  evidence,
}: Extract<QuestionVerdict, { kind: 'no' }>['findings'][number]): DimensionIssue {
  return {
    message: description,
    severity: severity ?? 'major',
    ...(file !== undefined && { location: { file, ...(line !== undefined && { line }) } }),
    ...(suggestedFix !== undefined && { suggestion: suggestedFix }),
    ...(evidence !== undefined && { evidence }),
  };
}
