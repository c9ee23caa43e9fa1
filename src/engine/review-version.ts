import type { Assessment, FailedAssessment } from '../core/assessment.js';
import type { Decision } from '../core/decision.js';
import { isEmptyOutput } from '../core/empty-output.js';
import type { UndecidedReview } from '../core/policy.js';
import type { Review } from '../core/review.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import type { AskedTiers } from './later-tiers.js';
import { ReviewTier } from './review-tier.js';
import { factsOf, type ReviewerReply } from './reviewer-reply.js';
import type { Run } from './run.js';
import { type ReviewHistory, type ReviewStart, undecidedReviewOf } from './undecided-review.js';
import type { ReviewJob } from './verdict-cache.js';

export interface Reviewed {
  readonly review: UndecidedReview;
  readonly proposals: readonly unknown[];
  /** The workspace tree at the first proposal. */
  readonly proposedTree: string | undefined;
  /** The failures that confirming judges report, whatever their gaps say: one dissent blocks. */
  readonly dissent: readonly FailedAssessment[];
}

/**
 * Asks tier after tier, with the reviewers of a tier concurrently.
 *
 * @returns undefined if the review needs the answer of a person; `run.pending` contains the
 *   questions
 */
export async function reviewVersion<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
): Promise<Reviewed | undefined> {
  const { run, definition, version } = job;
  const { clock } = definition;
  const start: ReviewStart = { at: clock.now() };
  run.ledger.ofReview = {};
  run.startIteration(version.iteration);
  run.emit('review-start', () => ({
    iteration: version.iteration,
    digest: version.digest,
    reviewers: definition.reviewers.length,
  }));
  const asked = await (isUnfit(job)
    ? (await loadContent()).emptyReview(job)
    : askTiers(job, history, start));
  if (asked === undefined) return undefined;
  const { skipped, proposedTree } = asked;
  const answers = mayLackConfirmed(definition, asked.answers)
    ? (await import('./unconfirmed-answers.js')).withUnconfirmed(definition, asked.answers)
    : asked.answers;
  run.endReview();
  const { parent } = history;
  const matching =
    parent === undefined || parent.gaps.length === 0
      ? undefined
      : (parentGaps ?? (await loadParentGaps()));
  const replies = matching?.withAbstained(parent?.gaps, answers, definition) ?? answers;
  const said = replies.some(isOpen)
    ? await (await loadDecisions()).withDecisions(job, replies)
    : replies;
  const sharing = said.some(({ assessments }) => assessments.some(isDecided))
    ? await import('../core/shared-gaps.js')
    : undefined;
  const review = undecidedReviewOf(job, { ...history, matching, sharing }, said, skipped, start);
  return {
    review,
    proposals: answers
      .map((answer) => answer.proposal)
      .filter((proposal) => proposal !== undefined),
    proposedTree,
    dissent: factsOf(definition.reviewers).hasConfirming
      ? (await loadLaterTiers()).dissentOf(definition, said, review)
      : none,
  };
}

/** Whether a review with confirming judges may have skipped a question. */
function mayLackConfirmed<Task, Output>(
  { reviewers }: Definition<Task, Output>,
  answers: readonly ReviewerReply[],
): boolean {
  return (
    factsOf(reviewers).hasConfirming &&
    answers.some(({ assessments }) => assessments.some(({ verdict }) => verdict === 'skipped'))
  );
}

let parentGaps: typeof import('./parent-gaps.js') | undefined;

/** Loaded once a parent has gaps. */
async function loadParentGaps(): Promise<typeof import('./parent-gaps.js')> {
  parentGaps = await import('./parent-gaps.js');
  return parentGaps;
}

function isDecided(assessment: Assessment): boolean {
  return 'coverage' in assessment && assessment.coverage?.decidedBy !== undefined;
}

/** A tier is not asked when approval has become impossible. */
async function askTiers<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  start: ReviewStart,
): Promise<AskedTiers | undefined> {
  const { run, definition } = job;
  const answers: ReviewerReply[] = run.wasEmpty
    ? [(await loadContent()).contentReply(job.version.digest, true)]
    : [];
  const skipped: Assessment[] = [];
  const proposed: { tree?: string } = {};
  for (const { tier, reviewers } of factsOf(definition.reviewers).tiers) {
    const mayStop = answers.length > 0 && (definition.failFast || tier === 'confirm');
    const passed = mayStop ? await passedBy(job, history, { answers, reviewers, start }) : none;
    if (passed.length > 0) {
      skipped.push(...passed);
      continue;
    }
    const ask = (): Promise<ReviewerReply[] | undefined> =>
      new ReviewTier(job, reviewers).perform();
    const replies = await (run.trees?.reviewed(job.version, ask, proposed) ?? ask());
    run.throwIfEnded();
    if (replies === undefined) return undefined;
    answers.push(...replies);
  }
  return { answers, skipped, proposedTree: proposed.tree };
}

/** None if the tier has to be asked. */
async function passedBy<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  given: {
    readonly answers: readonly ReviewerReply[];
    readonly reviewers: Definition<Task, Output>['reviewers'];
    readonly start: ReviewStart;
  },
): Promise<readonly Assessment[]> {
  const { approvalPossible, passedOver } = await loadLaterTiers();
  const isPossible = await approvalPossible(job, history, given);
  return isPossible ? none : passedOver(job, given.reviewers);
}

/** Loaded for reviews of more than one tier. */
function loadLaterTiers(): Promise<typeof import('./later-tiers.js')> {
  return import('./later-tiers.js');
}

function isUnfit<Task, Output>({ definition, version }: ReviewJob<Task, Output>): boolean {
  return !definition.allowEmpty && version.tree === undefined && isEmptyOutput(version.output);
}

/** Loaded for the review of an empty version, and of the versions after it. */
function loadContent(): Promise<typeof import('./later-tiers.js')> {
  return import('./later-tiers.js');
}

/** Loaded on first need: most reviews leave nothing undecided. */
function loadDecisions(): Promise<typeof import('./person-decisions.js')> {
  return import('./person-decisions.js');
}

function isOpen({ assessments }: ReviewerReply): boolean {
  return assessments.some(({ verdict }) => verdict === 'undecided');
}

const none: readonly never[] = Object.freeze([]);

export function recordReview<Task, Output>(
  run: Run,
  { logger, name }: Definition<Task, Output>,
  {
    undecided,
    decision,
    better,
  }: {
    readonly undecided: UndecidedReview;
    readonly decision: Decision;
    readonly better: boolean;
  },
): Promise<void> | void {
  const review = run.shown({ ...undecided, decision });
  run.reviews = run.shown([...run.reviews, review]);
  const written = run.journal?.review(review);
  return written === undefined
    ? tell(run, logger, name, review, better)
    : written.then(() => tell(run, logger, name, review, better));
}

function tell(
  run: Run,
  logger: Definition<never, never>['logger'],
  name: string,
  review: Review,
  better: boolean,
): void {
  const { iteration, scores, gaps, decision } = review;
  logger.info(
    {
      run: run.id,
      pipeline: name,
      iteration,
      overall: scores.overall,
      gaps: gaps.length,
      decision: decision.kind,
    },
    'review finished',
  );
  run.emit('review-end', () => ({ iteration, review, best: better }));
}

export function announceVersion<Output>(
  run: Run,
  { iteration, digest, parent, output }: Version<Output>,
): void {
  run.emit('version-produce', () => ({ iteration, digest, parent, output }));
}
