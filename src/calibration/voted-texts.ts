import { type Assessment, isVerdict, type JudgedAssessment } from '../core/assessment.js';
import type { Evidence, UndecidedReview } from '../core/policy.js';
import { judgeName } from './judge-name.js';

/** One vote of one judge. A judge that failed to answer gave none. */
export interface JudgeVote {
  /** The provider, and after a space its model if it has one. */
  readonly judge: string;
  readonly passed: boolean;
}

/** The votes on one version of a text. */
export interface VotedVersion {
  readonly votes: readonly JudgeVote[];
  /**
   * Whether the edit that made this version was told of the text. Meaningless for the first one.
   *
   * @default false
   */
  readonly told?: boolean | undefined;
}

/** A text that one criterion judges, with the votes on each of its versions. */
export interface VotedText {
  /** The criterion. */
  readonly id: string;
  /** The oldest first. */
  readonly versions: readonly VotedVersion[];
}

/**
 * Returns the votes on every text of the reviewed version, with those on the versions that it was
 * made from. Checks by code and decisions of people are left out.
 *
 * @param counts - Returns whether a criterion counts.
 */
export function votedTexts(
  evidence: Pick<Evidence, 'review' | 'history' | 'judges'>,
  counts: (criterion: string) => boolean,
): VotedText[] {
  const code = new Set(
    (evidence.judges ?? []).filter(({ tier }) => tier === 'code').map(({ id }) => id),
  );
  const lineage = lineageOf(evidence);
  return evidence.review.assessments
    .filter(isVerdict)
    .filter(({ criterion, decidedBy }) => decidedBy === undefined && !code.has(criterion))
    .filter(({ criterion }) => counts(criterion))
    .map(({ criterion }) => ({
      id: criterion,
      versions: versionsOf(
        lineage.flatMap(({ assessments }) => assessmentOf(assessments, criterion) ?? []),
      ),
    }));
}

function assessmentOf(
  assessments: readonly Assessment[],
  criterion: string,
): JudgedAssessment | undefined {
  return assessments.filter(isVerdict).find((assessment) => assessment.criterion === criterion);
}

/** Returns the reviews of the versions that led to this one, the oldest first. */
function lineageOf({ review, history }: Pick<Evidence, 'review' | 'history'>): UndecidedReview[] {
  const lineage: UndecidedReview[] = [review];
  let { parent } = review;
  for (const earlier of [...history].reverse()) {
    if (earlier.version !== parent) continue;
    lineage.unshift(earlier);
    parent = earlier.parent;
  }
  return lineage;
}

/** A verdict holds while its text is equal, so other votes mean another text. */
function versionsOf(assessments: readonly JudgedAssessment[]): VotedVersion[] {
  const versions: VotedVersion[] = [];
  let told = false;
  let last: string | undefined;
  for (const assessment of assessments) {
    const votes = votesOf(assessment);
    const key = JSON.stringify([votes, editsOf(assessment)]);
    if (key !== last) versions.push({ votes, told });
    last = key;
    told = assessment.verdict === 'fail';
  }
  return versions;
}

/** Returns who voted what. Without names, one judge cast all votes: that is the greatest risk. */
function votesOf({ criterion, verdict, votes }: JudgedAssessment): readonly JudgeVote[] {
  if (votes === undefined) return [{ judge: criterion, passed: verdict === 'pass' }];
  const named: unknown = Reflect.get(votes, 'by');
  if (Array.isArray(named) && named.length > 0 && named.every(isVote))
    return named.map((vote) => ({ judge: nameOf(vote), passed: vote.passed }));
  return [
    ...Array.from({ length: votes.pass }, () => ({ judge: criterion, passed: true })),
    ...Array.from({ length: votes.fail }, () => ({ judge: criterion, passed: false })),
  ];
}

function nameOf({ judge, ...more }: JudgeVote): string {
  const model: unknown = Reflect.get(more, 'model');
  return judgeName(judge, typeof model === 'string' ? model : undefined);
}

function editsOf({ votes }: JudgedAssessment): unknown {
  return votes === undefined ? undefined : Reflect.get(votes, 'edits');
}

/** Returns whether a value is a vote. */
export function isVote(vote: unknown): vote is JudgeVote {
  return (
    typeof vote === 'object' &&
    vote !== null &&
    'judge' in vote &&
    typeof vote.judge === 'string' &&
    'passed' in vote &&
    typeof vote.passed === 'boolean'
  );
}
