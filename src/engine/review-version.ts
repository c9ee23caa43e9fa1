import { type Assessment, isJudged } from '../core/assessment.js';
import { ReviewLoopError } from '../core/errors.js';
import { type Gap, isOpen } from '../core/gap.js';
import { identifyGaps, type ParentReview } from '../core/gap-identity.js';
import type { Evidence, UndecidedReview } from '../core/policy.js';
import { signedGaps } from '../core/reviewer-answer.js';
import { scoresOf } from '../core/scores.js';
import { bySeverity } from '../core/severity.js';
import { addUsage, type Usage, usageSince } from '../core/usage.js';
import type { ReviewJob } from './ask-reviewer.js';
import type { Definition } from './definition.js';
import { ReviewTier } from './review-tier.js';
import type { ReviewerReply } from './reviewer-reply.js';

/** What a review is compared with. */
export interface ReviewHistory {
  /** The version that the judged one was made from. */
  readonly parent: ParentReview | undefined;
  /** Ids of every gap of the run so far. */
  readonly seen: ReadonlySet<string>;
  /** What the policy would make of a finding; to see whether approval is still possible. */
  readonly decisionIf: (finding: UndecidedReview) => Evidence;
}

/** A finished review, and what reviewers proposed as the next version. */
export interface Reviewed {
  readonly finding: UndecidedReview;
  readonly proposals: readonly unknown[];
  /** What the workspace held when the first of them was made. */
  readonly proposedTree: string | undefined;
  /** Gaps for which confirming judges failed the version, disputed ones too: one dissent blocks (law 5). */
  readonly dissent: readonly Gap[];
}

/** Where a review began. */
interface Start {
  readonly at: number;
  readonly usage: Usage;
}

const tiers = ['code', 'model', 'confirm'] as const;

/**
 * Judges one version: tier by tier, the reviewers of a tier side by side.
 *
 * @returns `undefined` when the review cannot go on before a person has answered; the run holds the questions.
 */
export async function reviewVersion<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
): Promise<Reviewed | undefined> {
  const { run, definition, version } = job;
  const { clock, events } = definition;
  const start: Start = { at: clock.now(), usage: run.ledger.usage.review };
  run.startIteration(version.iteration);
  events.emit('review-start', () => ({
    runId: run.id,
    iteration: version.iteration,
    digest: version.digest,
    reviewers: definition.reviewers.length,
  }));
  const answers: ReviewerReply[] = [];
  const skipped: Assessment[] = [];
  let proposedTree: string | undefined;
  for (const tier of tiers) {
    const reviewers = definition.reviewers.filter((reviewer) => reviewer.tier === tier);
    if (reviewers.length === 0) continue;
    if (
      answers.length > 0 &&
      (definition.failFast || tier === 'confirm') &&
      !approvalPossible(job, history, answers, start)
    ) {
      for (const { id } of reviewers)
        skipped.push({
          verdict: 'skipped',
          criterion: id,
          reason: `not asked: earlier checks already rule approval out`,
        });
      continue;
    }
    const asked = await askStage(job, reviewers);
    if (asked === undefined) return undefined;
    answers.push(...asked.answers);
    proposedTree ??= asked.proposedTree;
  }
  run.endReview();
  const finding = findingOf(job, history, answers, skipped, start);
  const confirming = new Set(
    definition.reviewers.filter((reviewer) => reviewer.tier === 'confirm').map(({ id }) => id),
  );
  const failed = new Set(
    finding.assessments
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ criterion }) => criterion),
  );
  const dissent = finding.gaps.filter(
    (gap) =>
      confirming.has(gap.raisedBy ?? '') &&
      failed.has(gap.criterionId ?? '') &&
      gap.standing !== 'waived',
  );
  return {
    finding,
    proposals: answers
      .map((answer) => answer.proposal)
      .filter((proposal) => proposal !== undefined),
    proposedTree,
    dissent,
  };
}

interface Asked {
  readonly answers: readonly ReviewerReply[];
  readonly proposedTree: string | undefined;
}

/** Asks the reviewers of one tier, each tier over the very tree of the version. */
async function askStage<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewers: Definition<Task, Output>['reviewers'],
): Promise<Asked | undefined> {
  const { run, version } = job;
  if (version.tree !== undefined) await run.trees?.open(version.tree);
  const answers = await new ReviewTier(job, reviewers).perform();
  run.throwIfEnded();
  return answers && { answers, proposedTree: await treeOfProposals(job, answers) };
}

/** Keeps the tree that reviewers left who propose the next version: they may have changed it. */
async function treeOfProposals<Task, Output>(
  { run, version }: ReviewJob<Task, Output>,
  answers: readonly ReviewerReply[],
): Promise<string | undefined> {
  if (run.trees === undefined || answers.every(({ proposal }) => proposal === undefined))
    return undefined;
  const name = `iter:${version.iteration}/proposal`;
  const recorded = run.journal?.step(name, version.digest)?.workspace;
  if (recorded !== undefined) return recorded;
  const tree = await run.trees.save(false);
  await run.journal?.append({
    type: 'step',
    name,
    input: version.digest,
    value: null,
    workspace: tree,
    at: run.ports.clock.now(),
  });
  return tree;
}

/** Whether the policy could still approve if every reviewer that has not been asked passed. */
function approvalPossible<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  answers: readonly ReviewerReply[],
  start: Start,
): boolean {
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
  const decision = job.definition.policy(history.decisionIf({ ...finding, complete: true }));
  return decision === undefined || ['approve', 'accept', 'ask'].includes(decision.kind);
}

function findingOf<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  answers: readonly ReviewerReply[],
  added: readonly Assessment[],
  start: Start,
): UndecidedReview {
  const { definition, version } = job;
  const { parent } = history;
  const raised = withOwners(answers);
  const identified = identifyGaps(
    raised.flatMap(({ gaps }) => gaps),
    version.output,
    parent,
    history.seen,
  );
  let next = 0;
  const assessments = raised.map(({ assessment, gaps }): Assessment => {
    if (!isJudged(assessment)) return assessment;
    next += gaps.length;
    if (gaps.length === 0) return assessment;
    const named = { ...assessment };
    named.gaps = identified.slice(next - gaps.length, next);
    return named;
  });
  assessments.push(...added);
  const { carried, fixed } = carryGaps(parent?.gaps ?? [], identified, answers);
  const now = definition.clock.now();
  return {
    iteration: version.iteration,
    version: version.digest,
    ...(version.parent !== undefined && { parent: version.parent }),
    assessments,
    gaps: [...identified, ...carried].sort(bySeverity),
    fixed,
    scores: scoresOf(assessments, definition.weights),
    complete:
      added.length === 0 && assessments.every((assessment) => assessment.verdict !== 'errored'),
    usage: usageSince(start.usage, job.run.ledger.usage.review),
    durationMs: Math.max(0, now - start.at),
    at: isoText(start.at),
    ...reusedOf(answers),
  };
}

let lastIso = { at: Number.NaN, text: '' };

/** ISO 8601; many reviews begin in the same millisecond. */
function isoText(at: number): string {
  if (lastIso.at !== at) lastIso = { at, text: new Date(at).toISOString() };
  return lastIso.text;
}

/** How many verdicts were known, and what giving them had cost. */
function reusedOf(answers: readonly ReviewerReply[]): Pick<UndecidedReview, 'reused'> {
  const known = answers.filter(({ reused }) => reused);
  return known.length === 0
    ? {}
    : {
        reused: {
          verdicts: known.length,
          saved: known.map(({ usage }) => usage).reduce(addUsage, {}),
        },
      };
}

interface Owned {
  readonly assessment: Assessment;
  readonly gaps: readonly Gap[];
}

/** Every assessment with its gaps signed; a criterion that two reviewers claim is an error of the second. */
function withOwners(answers: readonly ReviewerReply[]): readonly Owned[] {
  const claimed = new Set<string>();
  return answers.flatMap(({ reviewer, assessments }) =>
    assessments.map((assessment): Owned => {
      const { criterion } = assessment;
      if (claimed.has(criterion)) {
        const error = new ReviewLoopError(
          'duplicate_id',
          `${reviewer} assessed ${criterion}, which another reviewer of this pipeline assesses`,
        );
        return {
          assessment: { verdict: 'errored', criterion: `${reviewer}/${criterion}`, error },
          gaps: [],
        };
      }
      claimed.add(criterion);
      return { assessment, gaps: isJudged(assessment) ? signedGaps(assessment, reviewer) : [] };
    }),
  );
}

/** What became of the parent's gaps that are not raised again: fixed where their own judge answered, else carried on. */
function carryGaps(
  earlier: readonly Gap[],
  now: readonly Gap[],
  answers: readonly ReviewerReply[],
): { readonly carried: readonly Gap[]; readonly fixed: readonly Gap[] } {
  if (earlier.length === 0) return { carried: [], fixed: [] };
  const present = new Set(now.map((gap) => gap.id));
  const verdicts = new Map(
    answers.flatMap((answer) =>
      answer.assessments.map((assessment) => [assessment.criterion, isJudged(assessment)] as const),
    ),
  );
  const answered = new Map(
    answers.map((answer) => [answer.reviewer, answer.assessments.every(isJudged)]),
  );
  const carried: Gap[] = [];
  const fixed: Gap[] = [];
  for (const gap of earlier) {
    if (present.has(gap.id) || !isOpen(gap)) continue;
    const closed = verdicts.get(gap.criterionId ?? '') ?? answered.get(gap.raisedBy ?? '') ?? false;
    if (closed) fixed.push({ ...gap, lifecycle: 'fixed' });
    else carried.push({ ...gap, lifecycle: 'persisting' });
  }
  return { carried, fixed };
}
