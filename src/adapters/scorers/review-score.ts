import { definePipeline } from '../../blocks/pipeline/define-pipeline.js';
import type { Pipeline } from '../../blocks/pipeline/pipeline-options.js';
import { type Assessment, isJudged } from '../../core/assessment.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { type Gap, isOpen } from '../../core/gap.js';
import { checkList, invalid } from '../../core/options.js';
import type { Review } from '../../core/review.js';
import type { Reviewer } from '../../core/reviewer.js';
import type { Usage } from '../../core/usage.js';
import { scorerErrors } from './errors.js';

export interface ScoredGap {
  readonly severity: string;
  readonly description: string;
  readonly criterion?: string;
  readonly file?: string;
  readonly line?: number;
}

export interface ScoredCriterion {
  readonly criterion: string;
  readonly verdict: Assessment['verdict'];
  /** The score, from 0 to 1. Only a pass and a fail have one. */
  readonly score?: number;
  /** Why. */
  readonly text: string;
}

export interface ReviewScoreMetadata {
  /** Why, in one text. */
  readonly rationale: string;
  /** Whether the reviewers approve; `null` if nobody could tell. */
  readonly approved: boolean | null;
  /** The overall score of the review, from 0 to 1; `null` if nothing was judged. */
  readonly overall: number | null;
  /** The open gaps, worst first. */
  readonly gaps: readonly ScoredGap[];
  readonly criteria: readonly ScoredCriterion[];
  /** What the review used; a missing number is unknown, never 0. */
  readonly usage: Usage;
}

/** The score of one review, as autoevals has it. */
export interface ReviewScore {
  readonly name: string;
  /** From 0 to 1; `null` if nobody could tell. */
  readonly score: number | null;
  readonly metadata: ReviewScoreMetadata;
}

/** What a score says: whether the output is approved, or how good it is over all criteria. */
export type ScoreOf = 'approval' | 'overall';

export function reviewScore(
  review: Review,
  { name, score }: { readonly name: string; readonly score: ScoreOf },
): ReviewScore {
  const { overall } = review.scores;
  const approved = approvedBy(review);
  const gaps = review.gaps.filter(isOpen).map(scoredGap);
  const known = score === 'overall' ? overall : Number(approved);
  return {
    name,
    score: approved === null ? null : known,
    metadata: {
      rationale: rationaleOf(review, gaps),
      approved,
      overall,
      gaps,
      criteria: review.assessments.map(scoredCriterion),
      usage: review.usage,
    },
  };
}

function approvedBy({ decision, assessments }: Review): boolean | null {
  if (decision.kind === 'approve') return true;
  if (decision.kind === 'revise') return false;
  if (decision.kind === 'ask') return null;
  if (decision.kind === 'stop' && decision.status === 'inconclusive') return null;
  const refused = assessments.some(({ verdict, ...rest }) => {
    if (verdict !== 'fail' || !('gaps' in rest)) return false;
    return rest.gaps.length === 0 || rest.gaps.some(isOpen);
  });
  return refused ? false : null;
}

function rationaleOf({ decision, assessments }: Review, gaps: readonly ScoredGap[]): string {
  const found = gaps.map(({ severity, description }) => `[${severity}] ${description}`);
  const open = assessments
    .filter((assessment) => assessment.verdict === 'undecided')
    .map(({ criterion, reason }) => `[undecided] ${criterion}: ${reason}`);
  return [decision.reason, ...found, ...open].join('; ');
}

function scoredGap(gap: Gap): ScoredGap {
  const { severity, description, criterionId, location } = gap;
  const file = location?.file ?? gap.affectedArtifact;
  const line = location?.line;
  return {
    severity,
    description,
    ...(criterionId !== undefined && { criterion: criterionId }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  };
}

function scoredCriterion(assessment: Assessment): ScoredCriterion {
  const { criterion, verdict } = assessment;
  if (isJudged(assessment))
    return { criterion, verdict, score: assessment.score, text: assessment.explanation };
  if (assessment.verdict === 'errored')
    return { criterion, verdict, text: messageOf(assessment.error) };
  return { criterion, verdict, text: assessment.reason };
}

export type ScoredBy<Task, Output> =
  | Pick<Pipeline<Task, Output>, 'review' | 'run'>
  | readonly Reviewer<Task, Output>[];

export type ReviewOf<Task, Output> = Pipeline<Task, Output>['review'];

export function reviewBy<Task, Output>(judge: ScoredBy<Task, Output>): ReviewOf<Task, Output> {
  if (isList(judge)) {
    checkList('reviewers', judge);
    return definePipeline<Task, Output>({ reviewers: judge }).review;
  }
  if (typeof judge?.review !== 'function' || typeof judge.run !== 'function')
    throw invalid('the judge', 'a pipeline or a list of criteria', judge);
  return judge.review;
}

function isList<Task, Output>(
  judge: ScoredBy<Task, Output>,
): judge is readonly Reviewer<Task, Output>[] {
  return Array.isArray(judge);
}

/** Some frameworks read `null` as 0. */
export function knownScore({ name, score, metadata }: ReviewScore): number {
  if (score !== null) return score;
  throw new ReviewLoopError(
    scorerErrors.nobody_could_tell,
    `${name} has no score: ${metadata.rationale}`,
    { value: metadata },
  );
}
