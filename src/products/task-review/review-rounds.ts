import type { Assessment } from '../../core/assessment.js';
import { messageOf } from '../../core/errors.js';
import type { HumanAnswer } from '../../core/human.js';
import type { UndecidedReview } from '../../core/policy.js';
import type { Review } from '../../core/review.js';
import type { TaskAttempt } from '../../ports/attempt-store.js';
import type { Store } from '../../ports/store.js';
import type { ReviewedVerdict } from './review-answer.js';
import { autoFixed } from './task-checks.js';

export function verdictIn({
  assessments,
}: Pick<UndecidedReview, 'assessments'>): ReviewedVerdict | 'skipped' {
  const review = assessments.find(({ criterion }) => criterion === 'review');
  switch (review?.verdict) {
    case 'pass':
      return 'passed';
    case 'fail':
      return review.explanation.startsWith('fixed: ') ? 'fixed' : 'failed';
    case 'errored':
      return review.error.code === 'review_not_run' ? 'not_run' : 'error';
    case 'undecided':
      return 'not_run';
    case 'skipped':
    case undefined:
      return 'skipped';
  }
}

export function failedChecks({ assessments }: Pick<UndecidedReview, 'assessments'>): Assessment[] {
  return assessments.filter(
    ({ criterion, verdict }) =>
      criterion !== 'review' &&
      (verdict === 'fail' || verdict === 'errored' || verdict === 'undecided'),
  );
}

export function isLintRepair({ assessments }: Pick<UndecidedReview, 'assessments'>): boolean {
  return assessments.some(
    (assessment) => assessment.verdict === 'fail' && assessment.explanation.startsWith(autoFixed),
  );
}

export interface AttemptRounds<Round> {
  readonly rounds: Round[];
  last: Round;
}

export function roundsByAttempt<Round extends Pick<Review, 'assessments' | 'decision'>>(
  reviews: readonly Round[],
): AttemptRounds<Round>[] {
  const attempts: AttemptRounds<Round>[] = [];
  let open: AttemptRounds<Round> | undefined;
  for (const review of reviews) {
    if (open === undefined) {
      open = { rounds: [], last: review };
      attempts.push(open);
    }
    open.rounds.push(review);
    open.last = review;
    const isRepair = isLintRepair(review) || verdictIn(review) === 'fixed';
    if (review.decision.kind !== 'revise' || !isRepair) open = undefined;
  }
  return attempts;
}

/** First the code review, then the failed checks. */
export function textOf({ assessments }: Pick<UndecidedReview, 'assessments'>): string {
  const failed = failedChecks({ assessments }).map(assessmentText);
  const review = assessments.find(
    ({ criterion, verdict }) => criterion === 'review' && verdict !== 'skipped',
  );
  return [...(review === undefined ? [] : [assessmentText(review)]), ...failed].join('\n').trim();
}

function assessmentText(assessment: Assessment): string {
  switch (assessment.verdict) {
    case 'pass':
    case 'fail':
      return assessment.criterion === 'review'
        ? assessment.explanation.replace(/^\w+: /, '')
        : `${assessment.criterion}: ${assessment.explanation}`;
    case 'undecided':
    case 'skipped':
      return assessment.reason;
    case 'errored':
      return assessment.criterion === 'review'
        ? messageOf(assessment.error)
        : `${assessment.criterion}: ${messageOf(assessment.error)}`;
  }
}

export type AnswersByVersion = ReadonlyMap<string, HumanAnswer>;

export async function answersOf(store: Store, runId: string): Promise<AnswersByVersion> {
  const records = (await store.read(runId)) ?? [];
  return new Map(
    records.flatMap((record) =>
      record.type === 'answer' ? [[record.digest, record.answer] as const] : [],
    ),
  );
}

export function answerAbout(
  { version }: Review,
  answers: AnswersByVersion,
): Pick<TaskAttempt, 'decidedBy' | 'decisionReason'> {
  const answer = answers.get(version);
  const reason = answer?.kind === 'revise' ? answer.note : answer?.reason;
  return { decidedBy: answer?.by ?? null, decisionReason: reason ?? null };
}
