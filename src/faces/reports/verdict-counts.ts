import type { Assessment } from '../../core/assessment.js';
import {
  type CoverageState,
  coverageState,
  type RequirementCoverage,
} from '../../core/coverage.js';
import { requirementPrefix } from '../../core/scores.js';
import { defaultThresholds, type ThresholdOptions } from '../../engine/policies/thresholds.js';
import type { AssessmentReport, RunReport, ScoreBar } from './run-report.js';

export type VerdictCounts = NonNullable<RunReport['counts']>;

export const noVerdicts = { passed: 0, failed: 0, skipped: 0, undecided: 0, errored: 0 };

export const judgeCounters = {
  pass: 'passed',
  fail: 'failed',
  undecided: 'undecided',
  skipped: 'skipped',
  errored: 'errored',
} as const satisfies Record<Assessment['verdict'], keyof VerdictCounts>;

export function verdictCounts(
  assessments: readonly { readonly verdict: Assessment['verdict'] }[],
): VerdictCounts {
  const counts = { ...noVerdicts };
  for (const { verdict } of assessments) counts[judgeCounters[verdict]] += 1;
  return counts;
}

/** Without zeros: `12 passed, 1 failed, 38 not applicable`. */
export function countsText({ passed, failed, skipped, undecided, errored }: VerdictCounts): string {
  const parts = [
    [passed, 'passed'],
    [failed, 'failed'],
    [skipped, 'not applicable'],
    [undecided, 'undecided'],
    [errored, errored === 1 ? 'judge failed' : 'judges failed'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return shown.length === 0 ? 'nothing to judge' : shown.join(', ');
}

/** Nothing else tells of them. */
export function failedRequirements({ failures }: Pick<RunReport, 'failures'>): AssessmentReport[] {
  return failures.filter(({ criterion }) => criterion.startsWith(requirementPrefix));
}

export function requirementCount(report: Pick<RunReport, 'coverage' | 'failures'>): number {
  return report.coverage.length + failedRequirements(report).length;
}

const words = { covered: 'satisfied', uncovered: 'violated', unsure: 'undecided' } as const;

export type CoverageWord = (typeof words)[CoverageState];

export function coverageWord(entry: Pick<RequirementCoverage, 'state' | 'covered'>): CoverageWord {
  return words[coverageState(entry)];
}

/** Where the words of a requirement occur, best first: `a.html:9 (75 %)`. */
export function hintsOf({ evidence = [] }: RequirementCoverage): string[] {
  return [...evidence]
    .sort((a, b) => b.share - a.share)
    .map(({ file, line, share, doubt }) => {
      const percent = `${Math.floor(share * 100 + 1e-9)} %`;
      const place = file === '' ? `line ${line}` : `${file}:${line}`;
      return `${place} (${percent}${doubt === undefined ? '' : `, ${doubt}`})`;
    });
}

export function thresholdBars(options: ThresholdOptions = {}): ScoreBar[] {
  const { quality, completeness } = options;
  return [
    { score: 'overall', at: quality ?? defaultThresholds.quality },
    { score: 'completeness', at: completeness ?? defaultThresholds.completeness },
  ];
}
