import { isReviewError, type ReviewError } from '../../core/errors.js';
import type { Review } from '../../core/review.js';
import type { GateTask, SkippedReview } from './gate-plan.js';
import { autoPassed, type GateResult } from './gate-result.js';
import { resultOfTask } from './gate-reviewer.js';

/** The result of one evaluation: DeepWork's fields, and what the gate adds. */
export interface ReviewResult extends GateResult {
  /** `step`, or the name of the reviewed output. */
  readonly review_run_each: string;
  /** The reviewed file of a list, else `null`. */
  readonly target_file: string | null;
  /** Criteria that the reviewer did not answer. */
  readonly unanswered: readonly string[];
  /** The number of escaped marker lines in the material, by file. */
  readonly altered: Readonly<Record<string, number>>;
  /** The error if the review has no verdict. Such a result never passes. */
  readonly error?: ReviewError | undefined;
}

/** The results of all reviews of a step. */
export interface GateReport {
  /**
   * `approved` when every review ran and passed; `accepted` without any criteria; `needs_work`
   * after a failed review; `inconclusive` when a review has no verdict, or all were skipped.
   */
  readonly outcome: 'approved' | 'accepted' | 'needs_work' | 'inconclusive';
  /** Whether the gate is open: approved or accepted. */
  readonly passed: boolean;
  readonly results: readonly ReviewResult[];
  /** The results that did not pass. */
  readonly failures: readonly ReviewResult[];
  /** Reviews without any output to evaluate. */
  readonly skipped: readonly SkippedReview[];
  /** The review of the engine; `undefined` if no reviewer was asked. */
  readonly review: Review | undefined;
}

export interface EvaluatedTask {
  readonly task: GateTask;
  readonly altered: Readonly<Record<string, number>>;
}

export interface ReportFacts extends Pick<GateReport, 'skipped' | 'review'> {
  readonly hasCriteria: boolean;
}

/** `review` is `undefined` if no reviewer was asked. */
export function gateReport(tasks: readonly EvaluatedTask[], facts: ReportFacts): GateReport {
  const { skipped, review } = facts;
  const results = tasks.map((task) => resultOf(task, review));
  const failures = results.filter(({ passed }) => !passed);
  const outcome = outcomeOf(failures, facts);
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
  { review, hasCriteria }: ReportFacts,
): GateReport['outcome'] {
  if (failures.some(({ error }) => error !== undefined)) return 'inconclusive';
  if (failures.length > 0) return 'needs_work';
  if (review === undefined) return hasCriteria ? 'inconclusive' : 'accepted';
  return review.complete && review.decision.kind === 'approve' ? 'approved' : 'inconclusive';
}

function resultOf({ task, altered }: EvaluatedTask, review: Review | undefined): ReviewResult {
  const about = { review_run_each: task.review.run_each, target_file: task.target, altered };
  const criteria = Object.keys(task.review.quality_criteria);
  if (criteria.length === 0) return { ...about, ...autoPassed(), unanswered: [] };
  const found = resultOfTask(review?.assessments ?? [], task.id);
  if ('error' in found) {
    const feedback = `The review could not be completed: ${messageOfError(found.error)}`;
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

function messageOfError(error: ReviewError): string {
  return isReviewError(error) && 'what' in error && typeof error.what === 'string'
    ? error.what
    : error.message;
}
