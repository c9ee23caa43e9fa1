import { type Assessment, isJudged } from '../core/assessment.js';
import { ReviewLoopError } from '../core/errors.js';
import { deepFrozen } from '../core/freeze.js';
import { type Gap, isOpen } from '../core/gap.js';
import type { identifyGaps, ParentReview } from '../core/gap-identity.js';
import { namedGaps } from '../core/named-gaps.js';
import type { Evidence, UndecidedReview } from '../core/policy.js';
import { signedGaps } from '../core/reviewer-answer.js';
import { scoresOf } from '../core/scores.js';
import { bySeverity } from '../core/severity.js';
import { addUsage } from '../core/usage.js';
import type { ReviewJob } from './ask-reviewer.js';
import type { ReviewerReply } from './reviewer-reply.js';

/** The earlier versions and gaps that a review is compared with. */
export interface ReviewHistory {
  /** The review of the parent version. */
  readonly parent: ParentReview | undefined;
  /** Recognises the gaps of the parent. Undefined if there are none to recognise. */
  readonly identify?: typeof identifyGaps | undefined;
  /** Ids of every gap of the run so far. */
  readonly seen: ReadonlySet<string>;
  /** Returns the evidence for the policy if this were the review. */
  readonly decisionIf: (finding: UndecidedReview) => Evidence;
}

/** The time at the start of a review. */
export interface ReviewStart {
  readonly at: number;
}

/** Returns the review of a version from the answers of its reviewers, without a decision. */
export function findingOf<Task, Output>(
  job: ReviewJob<Task, Output>,
  history: ReviewHistory,
  answers: readonly ReviewerReply[],
  added: readonly Assessment[],
  start: ReviewStart,
): UndecidedReview {
  const { definition, version } = job;
  const { parent } = history;
  const raised = withOwners(answers);
  const found = raised.flatMap(({ gaps }) => gaps);
  const { seen, identify } = history;
  const identified =
    parent === undefined || identify === undefined
      ? namedGaps(found, { seen })
      : identify(found, version.output, parent, seen);
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
  const { reused } = reusedOf(answers);
  const review: Mutable<UndecidedReview> = {
    iteration: version.iteration,
    version: version.digest,
    assessments,
    gaps: [...identified, ...carried].sort(bySeverity),
    fixed,
    scores: scoresOf(assessments, definition.weights),
    complete:
      added.length === 0 &&
      assessments.every((assessment) => assessment.verdict !== 'errored') &&
      definition.reviewers.every(({ id }) => answers.some(({ reviewer }) => reviewer === id)),
    usage: job.run.ledger.ofReview,
    durationMs: Math.max(0, now - start.at),
    at: isoText(start.at),
  };
  if (version.parent !== undefined) review.parent = version.parent;
  if (reused !== undefined) review.reused = reused;
  return deepFrozen(review);
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

let lastIso = { at: Number.NaN, text: '' };

/** Returns ISO 8601. It caches the last text: many reviews start in the same millisecond. */
function isoText(at: number): string {
  if (lastIso.at !== at) lastIso = { at, text: new Date(at).toISOString() };
  return lastIso.text;
}

/** Returns how many verdicts were reused, and the usage that this saved. */
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

/**
 * Returns every assessment with its signed gaps. If two reviewers assess one criterion, the second
 * is errored.
 */
function withOwners(answers: readonly ReviewerReply[]): readonly Owned[] {
  const claimed = new Set<string>();
  const owned: Owned[] = [];
  for (const { reviewer, assessments } of answers) {
    for (const assessment of assessments) {
      const isFirst = !claimed.has(assessment.criterion);
      claimed.add(assessment.criterion);
      owned.push(isFirst ? signed(assessment, reviewer) : claimedTwice(assessment, reviewer));
    }
  }
  return owned;
}

function signed(assessment: Assessment, reviewer: string): Owned {
  return { assessment, gaps: isJudged(assessment) ? signedGaps(assessment, reviewer) : [] };
}

function claimedTwice({ criterion }: Assessment, reviewer: string): Owned {
  const error = new ReviewLoopError(
    'duplicate_id',
    `${reviewer} assessed ${criterion}, which another reviewer of this pipeline assesses`,
  );
  return {
    assessment: { verdict: 'errored', criterion: `${reviewer}/${criterion}`, error },
    gaps: [],
  };
}

interface Judged {
  /** Whether a criterion has a verdict; `undefined` if it is an open question. */
  readonly verdicts: ReadonlyMap<string, boolean | undefined>;
  readonly answered: ReadonlyMap<string, boolean>;
}

/** Returns whether the judge of a gap answered; undefined if it could not tell. */
function closedBy({ verdicts, answered }: Judged, { criterionId = '', raisedBy = '' }: Gap) {
  return verdicts.has(criterionId) ? verdicts.get(criterionId) : (answered.get(raisedBy) ?? false);
}

/** Which criteria have a verdict, and which reviewers gave one for each of theirs. */
function judgedBy(answers: readonly ReviewerReply[]): Judged {
  const verdicts = new Map<string, boolean | undefined>();
  const answered = new Map<string, boolean>();
  for (const { reviewer, assessments } of answers) {
    answered.set(reviewer, assessments.every(isJudged));
    for (const assessment of assessments)
      verdicts.set(
        assessment.criterion,
        assessment.verdict === 'undecided' ? undefined : isJudged(assessment),
      );
  }
  return { verdicts, answered };
}

/**
 * Sorts the parent's gaps that are not raised again: fixed if their judge answered, carried on
 * otherwise. Where the judge can no longer tell, the open question takes the place of the gap.
 */
function carryGaps(
  earlier: readonly Gap[],
  now: readonly Gap[],
  answers: readonly ReviewerReply[],
): { readonly carried: readonly Gap[]; readonly fixed: readonly Gap[] } {
  if (earlier.length === 0) return { carried: [], fixed: [] };
  const present = new Set(now.map((gap) => gap.id));
  const judged = judgedBy(answers);
  const carried: Gap[] = [];
  const fixed: Gap[] = [];
  for (const gap of earlier) {
    if (present.has(gap.id) || !isOpen(gap)) continue;
    const closed = closedBy(judged, gap);
    if (closed === undefined) continue;
    if (closed) fixed.push({ ...gap, lifecycle: 'fixed' });
    else carried.push({ ...gap, lifecycle: 'persisting' });
  }
  return { carried, fixed };
}
