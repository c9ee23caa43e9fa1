import { isReviewError, type ReviewError } from '../core/errors.js';
import type { Review } from '../core/review.js';
import type { GateTask, SkippedReview } from './gate-plan.js';
import { autoPassed, type GateResult } from './gate-result.js';
import { resultIn } from './gate-reviewer.js';

/** The result of one evaluation of a step, with the fields of seed 000 and what must be known beside them. */
export interface ReviewResult extends GateResult {
  readonly review_run_each: string;
  readonly target_file: string | null;
  /** Criteria of which the reviewer said nothing. */
  readonly unanswered: readonly string[];
  /** Lines of the material that looked like markers and were altered, by file. */
  readonly altered: Readonly<Record<string, number>>;
  /** Why there is no verdict; such a result never passes. */
  readonly error?: ReviewError | undefined;
}

/** Everything that the reviews of a step gave. */
export interface GateReport {
  /** `approved` only when something was reviewed, everything that should be was, and all of it passed. */
  readonly outcome: 'approved' | 'accepted' | 'needs_work' | 'inconclusive';
  /** Whether the gate is open: approved, or accepted because there was nothing to review by. */
  readonly passed: boolean;
  readonly results: readonly ReviewResult[];
  /** The results that did not pass. */
  readonly failures: readonly ReviewResult[];
  readonly skipped: readonly SkippedReview[];
  /** What the engine recorded; none where nothing was asked. */
  readonly review: Review | undefined;
}

/** What was prepared for a task beside its view. */
export interface PreparedTask {
  readonly task: GateTask;
  readonly altered: Readonly<Record<string, number>>;
}

/** The report of a review; `review` is left out where no task had criteria. */
export function gateReport(
  tasks: readonly PreparedTask[],
  skipped: readonly SkippedReview[],
  review: Review | undefined,
): GateReport {
  const results = tasks.map((prepared) => resultOf(prepared, review));
  const failures = results.filter(({ passed }) => !passed);
  const outcome = outcomeOf(failures, review);
  return {
    outcome,
    passed: outcome === 'approved' || outcome === 'accepted',
    results,
    failures,
    skipped,
    review,
  };
}

function outcomeOf(
  failures: readonly ReviewResult[],
  review: Review | undefined,
): GateReport['outcome'] {
  if (failures.some(({ error }) => error !== undefined)) return 'inconclusive';
  if (failures.length > 0) return 'needs_work';
  if (review === undefined) return 'accepted';
  return review.complete && review.decision.kind === 'approve' ? 'approved' : 'inconclusive';
}

function resultOf({ task, altered }: PreparedTask, review: Review | undefined): ReviewResult {
  const about = { review_run_each: task.review.run_each, target_file: task.target, altered };
  const criteria = Object.keys(task.review.quality_criteria);
  if (criteria.length === 0) return { ...about, ...autoPassed(), unanswered: [] };
  const found = resultIn(review?.assessments ?? [], task.id);
  if ('error' in found) {
    const feedback = `The review could not be completed: ${whatOf(found.error)}`;
    return {
      ...about,
      passed: false,
      feedback,
      criteria_results: [],
      contradicted: [],
      reviewed: false,
      unanswered: criteria,
      error: found.error,
    };
  }
  return {
    ...about,
    ...found,
    unanswered: criteria.filter(
      (name) => !found.criteria_results.some(({ criterion }) => criterion === name),
    ),
  };
}

function whatOf(error: ReviewError): string {
  return isReviewError(error) && 'what' in error && typeof error.what === 'string'
    ? error.what
    : error.message;
}
