import type { Assessment } from '../core/assessment.js';

/** How many assessments ended in which way. */
export interface VerdictCounts {
  readonly passed: number;
  readonly failed: number;
  /** Checks that found nothing to judge. */
  readonly skipped: number;
  /** Questions that no judge could decide. */
  readonly undecided: number;
  /** Judges that failed. */
  readonly errored: number;
}

export function verdictCounts(
  assessments: readonly { readonly verdict: Assessment['verdict'] }[],
): VerdictCounts {
  const count = (verdict: Assessment['verdict']): number =>
    assessments.filter((assessment) => assessment.verdict === verdict).length;
  return {
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skipped'),
    undecided: count('undecided'),
    errored: count('errored'),
  };
}

/** Returns counts as text, without zeros: `12 passed, 1 failed, 38 not applicable`. */
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
