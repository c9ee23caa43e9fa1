import type { Assessment, FailedAssessment } from '../core/assessment.js';
import { isEmptyOutput } from '../core/empty-output.js';
import type { UndecidedReview } from '../core/policy.js';
import { tiers } from '../core/reviewer.js';
import { type ReviewJob, viewOf } from './ask-reviewer.js';
import type { Definition } from './definition.js';
import { decide } from './fail-closed.js';
import { type AskedTiers, notAsked } from './not-asked.js';
import { ReviewTier } from './review-tier.js';
import type { ReviewerReply } from './reviewer-reply.js';
import { findingOf, type ReviewHistory, type ReviewStart } from './undecided-review.js';

const noProposals: readonly unknown[] = Object.freeze([]);

/** A finished review with the versions that reviewers proposed next. */
export interface Reviewed {
  readonly finding: UndecidedReview;
  readonly proposals: readonly unknown[];
  /** The workspace tree at the first proposal. */
  readonly proposedTree: string | undefined;
  /** The failures that confirming judges report, whatever their gaps say: one dissent blocks. */
  readonly dissent: readonly FailedAssessment[];
}

/**
 * Judges one version: tier after tier, with the reviewers of a tier concurrently.
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
    ? (await import('./unconfirmed.js')).withUnconfirmed(definition, asked.answers)
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
  const finding = findingOf(job, { ...history, matching, sharing }, said, skipped, start);
  return {
    finding,
    proposals: answers.every(({ proposal }) => proposal === undefined)
      ? noProposals
      : answers.map(({ proposal }) => proposal).filter((proposal) => proposal !== undefined),
    proposedTree,
    dissent: dissentOf(definition, said, finding),
  };
}

/** Whether a review with confirming judges may have skipped a question. */
function mayLackConfirmed<Task, Output>(
  { reviewers }: Definition<Task, Output>,
  answers: readonly ReviewerReply[],
): boolean {
  return (
    reviewers.some(({ tier }) => tier === 'confirm') &&
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

/** Asks tier by tier. A tier is not asked once approval is no longer possible. */
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
  const proposed: Proposed = { tree: undefined };
  for (const tier of tiers) {
    const reviewers = ofTier(definition.reviewers, tier);
    if (reviewers.length === 0) continue;
    const mayStop = definition.failFast || tier === 'confirm';
    if (mayStop && !approvalPossible(job, history, answers, start)) {
      skipped.push(...passedOver(job, reviewers));
      continue;
    }
    const replies = await askTier(job, reviewers, proposed);
    run.throwIfEnded();
    if (replies === undefined) return undefined;
    answers.push(...replies);
  }
  return { answers, skipped, proposedTree: proposed.tree };
}

/** The workspace tree of the first reviewers that proposed the next version. */
interface Proposed {
  tree: string | undefined;
}

/** Asks the reviewers of one tier, in the workspace tree of the version. */
function askTier<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewers: Definition<Task, Output>['reviewers'],
  proposed: Proposed,
): Promise<ReviewerReply[] | undefined> {
  return job.run.trees === undefined
    ? new ReviewTier(job, reviewers).perform()
    : inTree(job, reviewers, proposed);
}

async function inTree<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewers: Definition<Task, Output>['reviewers'],
  proposed: Proposed,
): Promise<ReviewerReply[] | undefined> {
  const { run, version } = job;
  if (version.tree !== undefined) await run.trees?.open(version.tree);
  const replies = await new ReviewTier(job, reviewers).perform();
  run.throwIfEnded();
  proposed.tree ??= replies && (await treeOfProposals(job, replies));
  return replies;
}

/** Returns assessments of reviewers that are not asked; the edits of their texts are counted. */
function passedOver<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewers: Definition<Task, Output>['reviewers'],
): Assessment[] {
  for (const reviewer of reviewers) if (reviewer.countsEdits) viewOf(job, reviewer);
  return notAsked(reviewers, 'earlier checks already prevent approval');
}

/** Returns the failures that confirming judges report. */
function dissentOf<Task, Output>(
  { reviewers }: Definition<Task, Output>,
  answers: readonly ReviewerReply[],
  { assessments }: UndecidedReview,
): readonly FailedAssessment[] {
  if (reviewers.every(({ tier }) => tier !== 'confirm')) return none;
  const confirming = new Set(
    reviewers.filter((reviewer) => reviewer.tier === 'confirm').map(({ id }) => id),
  );
  const theirs = new Set(
    answers
      .filter(({ reviewer }) => confirming.has(reviewer))
      .flatMap((answer) => answer.assessments.map(({ criterion }) => criterion)),
  );
  return assessments.filter(
    (assessment): assessment is FailedAssessment =>
      assessment.verdict === 'fail' && theirs.has(assessment.criterion),
  );
}

/** Whether the output has no content, and the pipeline does not allow that. */
function isUnfit<Task, Output>({ definition, version }: ReviewJob<Task, Output>): boolean {
  return !definition.allowEmpty && version.tree === undefined && isEmptyOutput(version.output);
}

/** Loaded for the review of an empty version, and of the versions after it. */
function loadContent(): Promise<typeof import('./content-reply.js')> {
  return import('./content-reply.js');
}

/** Loaded on first need: most reviews leave nothing undecided. */
function loadDecisions(): Promise<typeof import('./person-decisions.js')> {
  return import('./person-decisions.js');
}

function isOpen({ assessments }: ReviewerReply): boolean {
  return assessments.some(({ verdict }) => verdict === 'undecided');
}

/** Returns the reviewers of a tier; the list itself if it has no others. */
function ofTier<Task, Output>(
  reviewers: Definition<Task, Output>['reviewers'],
  wanted: (typeof tiers)[number],
): Definition<Task, Output>['reviewers'] {
  let count = 0;
  for (const { tier } of reviewers) if (tier === wanted) count += 1;
  if (count === 0) return none;
  return count === reviewers.length ? reviewers : reviewers.filter(({ tier }) => tier === wanted);
}

const none: readonly never[] = Object.freeze([]);

/**
 * Saves the workspace tree of reviewers that propose the next version: they may have changed it.
 */
async function treeOfProposals<Task, Output>(
  { run, version }: ReviewJob<Task, Output>,
  answers: readonly ReviewerReply[],
): Promise<string | undefined> {
  if (run.trees === undefined || answers.every(({ proposal }) => proposal === undefined))
    return undefined;
  return run.trees.ofProposals(version);
}

/** Returns whether the policy could still approve if all remaining reviewers passed. */
function approvalPossible<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  answers: readonly ReviewerReply[],
  start: ReviewStart,
): boolean {
  if (answers.length === 0) return true;
  const asked = new Set(answers.map((answer) => answer.reviewer));
  const hoped = job.definition.reviewers
    .filter((reviewer) => !asked.has(reviewer.id))
    .map(
      (reviewer): Assessment => ({
        verdict: 'pass',
        criterion: reviewer.id,
        score: 1,
        explanation: '',
        gaps: [],
      }),
    );
  const finding = findingOf(job, { ...history, parent: undefined }, answers, hoped, start);
  const evidence = history.decisionIf(Object.freeze({ ...finding, complete: true }));
  const decision = decide(job.definition.policy, evidence);
  return decision === undefined || ['approve', 'accept', 'ask'].includes(decision.kind);
}
