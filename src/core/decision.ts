import { type Assessment, isOpenQuestion, type UndecidedAssessment } from './assessment.js';
import type { Gap } from './gap.js';
import type { HumanAnswerKind } from './human.js';

/** How a run ends without approval and without an error. */
export type StopStatus = 'rejected' | 'escalated' | 'stalled' | 'exhausted' | 'inconclusive';

export interface ApproveDecision {
  readonly kind: 'approve';
  /** Why, for people. */
  readonly reason: string;
}

/** The version is accepted without approval, because its reviewers only advise. */
export interface AcceptDecision {
  readonly kind: 'accept';
  /** Why, for programs: a stable code. */
  readonly code: string;
  /** Why, for people. */
  readonly reason: string;
}

export interface ReviseDecision {
  readonly kind: 'revise';
  /** Why, for people. */
  readonly reason: string;
  /** The version to start from. */
  readonly from: 'best' | 'latest' | 'anew';
  /** The gaps that prevent approval. */
  readonly blocking: readonly [Gap, ...Gap[]];
}

export interface AskDecision {
  readonly kind: 'ask';
  /** Why, for people. */
  readonly reason: string;
  /** The question to the person. */
  readonly question: string;
  /** The kinds of answer that are accepted. */
  readonly allowed: readonly Exclude<HumanAnswerKind, 'reply'>[];
}

interface StopDecision {
  readonly kind: 'stop';
  readonly status: StopStatus;
  /** Why, for programs: a stable code. */
  readonly code: string;
  /** Why, for people. */
  readonly reason: string;
}

/**
 * What a policy decides. A revision names at least one gap. It starts from the best version, from
 * the latest, or `anew`: `produce` then makes a new first output.
 */
export type Decision =
  | ApproveDecision
  | AcceptDecision
  | ReviseDecision
  | AskDecision
  | StopDecision;

export function isNonEmpty<Item>(items: readonly Item[]): items is readonly [Item, ...Item[]] {
  return items.length > 0;
}

const mostNamed = 3;

export function openQuestions(review: {
  readonly assessments: readonly Assessment[];
}): readonly UndecidedAssessment[] {
  return review.assessments.filter(isOpenQuestion);
}

export function undecidedStop(review: {
  readonly assessments: readonly Assessment[];
}): StopDecision | undefined {
  const open = openQuestions(review);
  if (open.length === 0) return undefined;
  const names = open.slice(0, mostNamed).map(questionText);
  const more = open.length > mostNamed ? ` and ${open.length - mostNamed} more` : '';
  const are = open.length === 1 ? 'is' : 'are';
  const counts = `${open.length} of ${review.assessments.length} assessments ${are} undecided`;
  return {
    kind: 'stop',
    status: 'inconclusive',
    code: 'undecided',
    reason: `${counts}: ${names.join('; ')}${more}`,
  };
}

export function questionText({ question, criterion }: UndecidedAssessment): string {
  return question ?? criterion;
}
