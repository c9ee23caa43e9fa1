import { type Assessment, isJudged } from './assessment.js';
import type { Gap } from './gap.js';
import { reachesBar, scoreOfGrade } from './grade.js';

/**
 * Decides a graded assessment by the bar of now, whatever the bar was when it was made. What a person
 * decided stays.
 *
 * @param failure - Returns the gap of a pass that fails now.
 */
export function regraded(
  passFrom: number,
  assessment: Assessment,
  failure: (explanation: string) => Gap,
): Assessment {
  if (!isJudged(assessment) || assessment.grade === undefined) return assessment;
  if (assessment.decidedBy !== undefined) return assessment;
  const grade = { ...assessment.grade, passFrom };
  const said = { ...assessment, grade, score: scoreOfGrade(grade) };
  if (reachesBar(grade)) return { ...said, verdict: 'pass', gaps: [] };
  const gaps = said.gaps.length > 0 ? said.gaps : [failure(said.explanation)];
  return { ...said, verdict: 'fail', gaps };
}
