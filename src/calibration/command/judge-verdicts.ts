import { shareOfScale } from '../../core/grade.js';
import { requirementPrefix } from '../../core/scores.js';
import type { JournalRecord } from '../../ports/store.js';
import type { AssessmentReport, RunReport } from '../../reports/run-report.js';
import type { VerdictsOfVersions } from '../answer-labels.js';
import type { LabelledVerdict } from '../labels.js';

/**
 * Returns what judges said about the versions of a run. A check by code that passed is left out: an
 * answer about the whole version is no answer about it. One that failed stays, so that a rejection is
 * not taken as an answer about the model that passed the same version.
 */
export function judgeVerdicts(
  { reviews, judges = [] }: Pick<RunReport, 'reviews' | 'judges'>,
  records: readonly JournalRecord[],
): VerdictsOfVersions {
  const code = new Set(judges.filter(({ tier }) => tier === 'code').map(({ id }) => id));
  const header = records.find((record) => record.type === 'run');
  return new Map(
    reviews.map(({ version, assessments }) => {
      const said = assessments.flatMap(({ criterion, verdict, score, grade, decidedBy }) => {
        const isVerdict = verdict === 'pass' || verdict === 'fail';
        if (!isVerdict || decidedBy !== undefined) return [];
        if (verdict === 'pass' && code.has(criterion)) return [];
        const given: LabelledVerdict = {
          verdict,
          ...sureOf({ score, grade }),
          ...versionOf(header?.parts, criterion),
        };
        return [[criterion, given] as const];
      });
      return [version, Object.fromEntries(said)];
    }),
  );
}

/** A grade tells how sure the judge is; the score of all that reaches the bar is 1. */
function sureOf({ score, grade }: Pick<AssessmentReport, 'score' | 'grade'>): { score?: number } {
  if (grade !== undefined) return { score: shareOfScale(grade) };
  return score === undefined ? {} : { score };
}

/** Requirements belong to one task: nothing about them holds for the next one. */
export function isOfOneTask(criterion: string): boolean {
  return criterion.startsWith(requirementPrefix);
}

/** Returns the version of a judge, as the journal contains it: `VERSION (TIER)`. */
function versionOf(
  parts: Readonly<Record<string, string>> | undefined,
  judge: string,
): { readonly version?: string } {
  const [version] = (parts?.[`reviewer ${judge}`] ?? '').split(' ');
  return version === undefined || version === '' ? {} : { version };
}
