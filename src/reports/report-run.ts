import type { Assessment } from '../core/assessment.js';
import type { Gap } from '../core/gap.js';
import type { Outcome } from '../core/outcome.js';
import type { Review } from '../core/review.js';
import { addUsage, type Usage } from '../core/usage.js';
import { reportReview } from './report-review.js';
import { requirementIds } from './requirement-ids.js';
import type { RunReport } from './run-report.js';

/** The facts of a report beside the outcome. */
export type AboutRun = Pick<
  RunReport,
  | 'at'
  | 'pipeline'
  | 'bars'
  | 'durationMs'
  | 'task'
  | 'requirements'
  | 'criteria'
  | 'files'
  | 'notReviewed'
  | 'exitCode'
  | 'changed'
  | 'written'
  | 'judges'
> & {
  /** The ids of the gaps for which a fixer changed something. */
  readonly fixers: ReadonlySet<string>;
};

export function reportRun(outcome: Outcome<unknown>, { fixers, ...about }: AboutRun): RunReport {
  const { runId, status, approved, code, reason, version, review: best } = outcome;
  const reviews = outcome.reviews.map((review) => reportReview(review, review === best));
  const shown = reviews.find((review) => review.best);
  const assessments = shown?.assessments ?? [];
  return {
    schemaVersion: 1,
    runId,
    status,
    approved,
    code,
    reason,
    ...about,
    ...(outcome.decidedBy !== undefined && { decidedBy: outcome.decidedBy }),
    usage: { ...usageOf(outcome) },
    ...(version !== undefined && { version }),
    ...(shown !== undefined && { scores: shown.scores, counts: shown.counts }),
    gaps: [...(best?.gaps ?? [])],
    coverage: coverageOf(best?.assessments ?? []),
    failures: assessments.filter(({ verdict }) => verdict === 'errored'),
    undecided: assessments.filter(({ verdict }) => verdict === 'undecided'),
    fixed: repaired(outcome.reviews, best, fixers),
    ...(outcome.status === 'suspended' && { requests: [...outcome.requests] }),
    ...(outcome.status === 'accepted' && { acceptance: { ...outcome.acceptance } }),
    reviews,
  };
}

function usageOf({ usage: { produce, review, address } }: Outcome<unknown>): Usage {
  return addUsage(addUsage(produce, review), address);
}

/** Returns how each requirement is covered, also those that nobody decided, in the order of the task. */
function coverageOf(assessments: readonly Assessment[]): RunReport['coverage'] {
  const ids = requirementIds(assessments);
  return assessments.flatMap((assessment) =>
    'coverage' in assessment && assessment.coverage !== undefined
      ? [{ ...assessment.coverage, ...idOf(ids.get(assessment.criterion)) }]
      : [],
  );
}

function idOf(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}

/** Returns the gaps that were closed up to the best review and are not open in it. */
function repaired(
  reviews: readonly Review[],
  best: Review | undefined,
  fixers: ReadonlySet<string>,
): RunReport['fixed'] {
  if (best === undefined) return [];
  const open = new Set(best.gaps.map(({ id }) => id));
  const closed = new Map<string, { iteration: number; by: string; gap: Gap }>();
  for (const { iteration, fixed } of reviews.slice(0, reviews.indexOf(best) + 1)) {
    for (const gap of fixed)
      if (!open.has(gap.id))
        closed.set(gap.id, { iteration, by: fixers.has(gap.id) ? 'fixer' : 'revision', gap });
  }
  return [...closed.values()];
}
