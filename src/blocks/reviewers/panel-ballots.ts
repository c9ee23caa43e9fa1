import {
  type Assessment,
  isJudged,
  isOpenQuestion,
  type JudgedAssessment,
} from '../../core/assessment.js';
import { checkedErrors } from '../../core/checked-errors.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import {
  checkList,
  checkPositive,
  checkRange,
  checkTable,
  filled,
  invalid,
  nested,
  type OptionTable,
  oneOf,
  required,
  whole,
} from '../../core/options.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../../core/reviewer.js';
import { checkedAnswer } from '../../core/reviewer-answer.js';
import { reviewerErrors } from './errors.js';
import { namedContext, secondOpinionContext } from './second-opinion.js';

export interface PanelReview<Task, Output> {
  readonly members: readonly Reviewer<Task, Output>[];
  readonly rules: PanelRules;
  readonly subject: ReviewSubject<Task, Output>;
  readonly context: ReviewerContext;
  readonly scoped: boolean;
}

export interface Ballot {
  readonly member: number;
  readonly name: string;
  readonly passed: boolean;
  readonly score: number;
  readonly judged: readonly JudgedAssessment[];
}

interface Poll {
  readonly ballots: readonly Ballot[];
  readonly failures: readonly ReviewLoopError[];
}

/** Asks again while the result is borderline. */
export async function collectBallots<Task, Output>(
  review: PanelReview<Task, Output>,
): Promise<Poll & { readonly rounds: number }> {
  const { rules } = review;
  let { ballots, failures } = await poll(review, 0);
  let rounds = 1;
  for (
    const most = rules.borderline?.rounds ?? 0;
    rounds <= most && ballots.length >= rules.quorum && isBorderline(ballots, rules);
    rounds += 1
  ) {
    const more = await poll(review, rounds);
    ballots = [...ballots, ...more.ballots];
    failures = [...failures, ...more.failures];
  }
  return { ballots, failures, rounds };
}

export function scoreOf(ballots: readonly Ballot[]): number {
  return ballots.reduce((sum, { score }) => sum + score, 0) / Math.max(1, ballots.length);
}

async function poll<Task, Output>(review: PanelReview<Task, Output>, round: number): Promise<Poll> {
  const answers = await Promise.all(
    review.members.map((member, index) => ask(review, { member, index, round })),
  );
  return {
    ballots: answers.filter((answer): answer is Ballot => !(answer instanceof ReviewLoopError)),
    failures: answers.filter(
      (answer): answer is ReviewLoopError => answer instanceof ReviewLoopError,
    ),
  };
}

/** Never rejects. */
async function ask<Task, Output>(
  { subject, context, scoped }: PanelReview<Task, Output>,
  {
    member,
    index,
    round,
  }: {
    readonly member: Reviewer<Task, Output>;
    readonly index: number;
    readonly round: number;
  },
): Promise<Ballot | ReviewLoopError> {
  const views = scoped ? (subject.output as readonly Output[]) : [];
  try {
    const answer = await member.review(
      scoped ? { ...subject, output: views[index] as Output } : subject,
      memberContext(context, index + 1, round),
    );
    return ballotOf(member, index, checkedAnswer(member.id, answer).assessments);
  } catch (error) {
    return error instanceof ReviewLoopError
      ? error
      : new ReviewLoopError('reviewer_threw', `${member.id} threw: ${messageOf(error)}`, {
          cause: error,
          retryable: true,
        });
  }
}

/**
 * Every member has its own names for calls. In the first round it sees the history, as all
 * reviewers do.
 */
function memberContext(context: ReviewerContext, number: number, round: number): ReviewerContext {
  return round === 0
    ? namedContext(context, `member${number}`)
    : secondOpinionContext(context, `member${number}:again${round}`);
}

function ballotOf(
  member: Reviewer<never, never>,
  index: number,
  assessments: readonly Assessment[],
): Ballot {
  const failure = assessments.find((assessment) => assessment.verdict === 'errored');
  if (failure !== undefined) {
    const retryable = failure.error.retryable;
    throw failure.error instanceof ReviewLoopError
      ? failure.error
      : new ReviewLoopError('reviewer_threw', messageOf(failure.error), {
          cause: failure.error,
          retryable,
        });
  }
  const open = assessments.find(isOpenQuestion);
  if (open !== undefined)
    throw new ReviewLoopError(
      reviewerErrors.reviewer_undecided,
      `${member.id} could not tell: ${open.reason}`,
    );
  const judged = assessments.filter(isJudged);
  if (judged.length === 0)
    throw new ReviewLoopError(checkedErrors.reviewer_invalid, `${member.id} judged nothing`);
  const score = judged.reduce((sum, assessment) => sum + assessment.score, 0) / judged.length;
  return {
    member: index,
    name: member.id,
    passed: judged.every((assessment) => assessment.verdict === 'pass'),
    score,
    judged,
  };
}

function isBorderline(ballots: readonly Ballot[], { borderline }: PanelRules): boolean {
  if (borderline === undefined) return false;
  const passes = ballots.filter(({ passed }) => passed).length;
  return (
    passes * 2 === ballots.length ||
    Math.abs(scoreOf(ballots) - borderline.bar) <= borderline.within
  );
}

export interface PanelOptions {
  /** The id of the panel and of its criterion. @default the id of the first member */
  readonly id?: string | undefined;
  /**
   * The least number of members that must vote; with fewer, the panel is errored.
   *
   * @default more than half of the members
   */
  readonly quorum?: number | undefined;
  /** The verdict of an even split; never a pass. @default 'fail' */
  readonly tie?: 'fail' | 'errored' | undefined;
  /**
   * The number of fails that fail the panel, even if most members pass; 1 gives each member a veto.
   *
   * @default undefined the majority decides
   */
  readonly veto?: number | undefined;
  /**
   * The number of members that must report a finding before it may be edited; otherwise it is
   * disputed.
   *
   * @default 1
   */
  readonly toEdit?: number | undefined;
  /**
   * Asks again if the mean score is at most `within` from `bar`, or if votes are even.
   *
   * @default never
   */
  readonly borderline?:
    | {
        readonly bar: number;
        readonly within: number;
        /** The greatest number of further rounds. @default 1 */
        readonly rounds?: number | undefined;
      }
    | undefined;
}

const table: OptionTable<PanelOptions> = {
  ...{ id: filled('a non-empty string'), quorum: whole(1), tie: oneOf('fail', 'errored') },
  ...{ veto: whole(1), toEdit: whole(1) },
  borderline: nested<NonNullable<PanelOptions['borderline']>>({
    bar: required(checkRange),
    within: required(checkPositive),
    rounds: whole(1),
  }),
};

export interface PanelRules {
  readonly id: string;
  readonly quorum: number;
  readonly tie: 'fail' | 'errored';
  readonly veto: number | undefined;
  readonly toEdit: number;
  readonly borderline:
    | { readonly bar: number; readonly within: number; readonly rounds: number }
    | undefined;
}

export function panelRules(
  members: readonly Reviewer<never, never>[],
  options: PanelOptions,
): PanelRules {
  checkList('the members of a panel', members);
  if (members.length === 0) throw invalid('the members of a panel', 'a non-empty list', members);
  for (const member of members)
    if (typeof member?.review !== 'function')
      throw invalid('the members of a panel', 'reviewers', member);
  checkTable('panel', table, options);
  const {
    id = members[0]?.id ?? '',
    quorum = Math.floor(members.length / 2) + 1,
    tie = 'fail',
    veto,
    toEdit = 1,
    borderline,
  } = options;
  table.id('id', id);
  if (quorum > members.length)
    throw invalid('quorum', `at most ${members.length}, the number of members`, quorum);
  return {
    id,
    quorum,
    tie,
    veto,
    toEdit,
    borderline: borderline && { ...borderline, rounds: borderline.rounds ?? 1 },
  };
}
