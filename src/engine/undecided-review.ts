import { type Assessment, isJudged, type JudgedAssessment } from '../core/assessment.js';
import { ReviewLoopError } from '../core/errors.js';
import { bySeverity } from '../core/gap.js';
import type { ParentReview } from '../core/gap-identity.js';
import { deepFrozen } from '../core/json.js';
import { namedGaps, signedGaps } from '../core/named-gaps.js';
import type { Evidence, UndecidedReview } from '../core/policy.js';
import { scoresBy } from '../core/scores.js';
import type { RaisedGaps } from '../core/shared-gaps.js';
import { addUsage } from '../core/usage.js';
import { isByCode, type JudgeKind, type ReviewerReply } from './reviewer-reply.js';
import type { ReviewJob } from './verdict-cache.js';

export interface ReviewHistory {
  readonly parent: ParentReview | undefined;
  /** Recognises and carries the gaps of the parent. Undefined if it has none. */
  readonly matching?: typeof import('./parent-gaps.js') | undefined;
  /** Joins the gaps of requirements and of the checks that decided them. Undefined if there are none. */
  readonly sharing?: typeof import('../core/shared-gaps.js') | undefined;
  readonly seen: ReadonlySet<string>;
  /** Returns the evidence for the policy if this were the review. */
  readonly decisionIf: (review: UndecidedReview) => Evidence;
}

export interface ReviewStart {
  readonly at: number;
}

export function undecidedReviewOf<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  answers: readonly ReviewerReply[],
  added: readonly Assessment[],
  start: ReviewStart,
): UndecidedReview {
  const { definition, version } = job;
  const { parent } = history;
  const { seen, matching, sharing } = history;
  const owned = withOwners(answers, definition.reviewers);
  const raised = sharing?.sharedGaps(owned) ?? owned;
  const found = raised.flatMap(({ gaps }) => gaps);
  const identified =
    matching?.identifyGaps(found, version.output, parent, seen) ?? namedGaps(found, { seen });
  let next = 0;
  const named = raised.map(({ assessment, gaps }): Assessment => {
    if (!isJudged(assessment)) return assessment;
    next += gaps.length;
    return { ...assessment, gaps: identified.slice(next - gaps.length, next) };
  });
  const assessments = sharing?.withSharedGaps(named, raised) ?? named;
  assessments.push(...added);
  const earlier = matching?.closedGaps(parent?.gaps, { now: identified, answers, assessments });
  const { fixed = [], closed = [] } = earlier ?? {};
  const now = definition.clock.now();
  const reused = reusedOf(answers);
  const review: Mutable<UndecidedReview> = {
    iteration: version.iteration,
    version: version.digest,
    assessments,
    gaps: [...identified].sort(bySeverity),
    fixed,
    scores: scoresBy(assessments, definition.weights, added.length < definition.reviewers.length),
    complete:
      added.length === 0 &&
      assessments.every((assessment) => assessment.verdict !== 'errored') &&
      answers.length >= definition.reviewers.length,
    usage: job.run.ledger.ofReview,
    durationMs: Math.max(0, now - start.at),
    at: isoText(start.at),
  };
  if (version.parent !== undefined) review.parent = version.parent;
  if (closed.length > 0) review.closed = closed;
  if (reused !== undefined) review.reused = reused;
  return job.run.isPrivate ? review : deepFrozen(review);
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

let lastIso = { at: Number.NaN, text: '' };

/** Caches the last text: many reviews start in the same millisecond. */
function isoText(at: number): string {
  if (lastIso.at !== at) lastIso = { at, text: new Date(at).toISOString() };
  return lastIso.text;
}

function reusedOf(answers: readonly ReviewerReply[]): UndecidedReview['reused'] {
  if (!answers.some(({ reused }) => reused)) return undefined;
  const known = answers.filter(({ reused }) => reused);
  return {
    verdicts: known.length,
    saved: known.map(({ usage }) => usage).reduce(addUsage, {}),
  };
}

/** If two reviewers assess one criterion, the second assessment is errored. */
function withOwners(
  answers: readonly ReviewerReply[],
  reviewers: readonly JudgeKind[],
): readonly RaisedGaps[] {
  const claimed = new Set<string>();
  const owned: RaisedGaps[] = [];
  for (const { reviewer, assessments } of answers) {
    for (const assessment of assessments) {
      const isFirst = !claimed.has(assessment.criterion);
      claimed.add(assessment.criterion);
      if (!isFirst) owned.push(claimedTwice(assessment, reviewer));
      else if (isJudged(assessment))
        owned.push({ assessment, gaps: signedGaps(assessment, reviewer) });
      else owned.push({ assessment: withKind(assessment, reviewer, reviewers), gaps: [] });
    }
  }
  return owned;
}

/** Returns an assessment that says whether code found nothing that its criterion applies to. */
function withKind(
  assessment: Exclude<Assessment, JudgedAssessment>,
  reviewer: string,
  reviewers: readonly JudgeKind[],
): Assessment {
  if (assessment.verdict !== 'skipped') return assessment;
  const { verdict, criterion, reason } = assessment;
  const isCode = isByCode(reviewer, reviewers);
  return { verdict, criterion, reason, ...(isCode && { notApplicable: true }) };
}

function claimedTwice({ criterion }: Assessment, reviewer: string): RaisedGaps {
  const error = new ReviewLoopError(
    'duplicate_id',
    `${reviewer} assessed ${criterion}, which another reviewer of this pipeline assesses`,
  );
  return {
    assessment: { verdict: 'errored', criterion: `${reviewer}/${criterion}`, error },
    gaps: [],
  };
}
