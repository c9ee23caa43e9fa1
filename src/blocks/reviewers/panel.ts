import {
  type Assessment,
  isJudged,
  isOpenQuestion,
  type JudgedAssessment,
  type Votes,
} from '../../core/assessment.js';
import { checkedErrors } from '../../core/checked-errors.js';
import { keepOrder } from '../../core/decorate-reviewer.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import { hashText } from '../../core/hash.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { signedGaps } from '../../core/named-gaps.js';
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
import { scoreText } from '../../core/score-text.js';
import { reviewerErrors, thrownBy } from './errors.js';
import { identified, namedContext, secondOpinionContext, votesOf } from './second-opinion.js';

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

type PanelRules = ReturnType<typeof panelRules>;

function panelRules(members: readonly Reviewer<never, never>[], options: PanelOptions) {
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

/**
 * Creates one reviewer from several: each member has one vote. A member passes what all of its
 * criteria pass. An even split never passes, and `veto: 1` lets one dissent fail the panel. With
 * too few votes the panel is `errored`. The assessment contains the votes, and how far they agree.
 *
 * After PoLL (a small panel of different families) and Jain et al. (a minority veto beats the
 * majority).
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const members = [judgeOf(oneModel), judgeOf(anotherModel), judgeOf(aThirdModel)];
 * const clear = panel(members, { id: 'clear', quorum: 2, veto: 1 });
 * ```
 */
export function panel<Task, Output>(
  members: readonly Reviewer<Task, Output>[],
  options: PanelOptions = {},
): Reviewer<Task, Output> {
  const rules = panelRules(members, options);
  const tier = tierOf(members);
  const scoped = members.some(({ scope }) => scope !== undefined);
  const needsProvider = members.some(({ withProvider }) => withProvider !== undefined);
  return {
    id: rules.id,
    version: hashText(
      ['panel', digestOf({ ...options }), ...members.map(({ version }) => version)].join('\u0000'),
    ).slice(0, 16),
    tier,
    severity: severityOf(members),
    after: afterOf(members, tier),
    ...(members.some(({ reuse }) => reuse === 'run') && { reuse: 'run' as const }),
    ...(members.some(({ countsEdits }) => countsEdits) && { countsEdits: true as const }),
    ...(scoped && {
      scope: (subject) =>
        members.map((member) =>
          member.scope === undefined ? subject.output : member.scope(subject),
        ),
    }),
    ...(rules.toEdit > 1 && { checksFindings: true as const }),
    ...(needsProvider && {
      withProvider: (provider: LLMProvider) =>
        panel(
          members.map((member) => keepOrder(member, member.withProvider?.(provider) ?? member)),
          { ...options, id: rules.id },
        ),
    }),
    review: async (subject, context) => [
      await assessmentOf({ members, rules, subject, context, scoped }),
    ],
  };
}

function severityOf(
  members: readonly Reviewer<never, never>[],
): Reviewer<never, never>['severity'] {
  const [first, ...others] = members.map(({ severity }) => severity);
  return others.every((severity) => severity === first) ? first : undefined;
}

/** A panel with a model is not a check by code. */
function tierOf(members: readonly Reviewer<never, never>[]): Reviewer<never, never>['tier'] {
  const tiers = members.map(({ tier }) => tier);
  if (tiers.includes('confirm')) return 'confirm';
  return tiers.includes('model') ? 'model' : 'code';
}

/** Members of an earlier tier need not wait: the reviewers that they follow have answered. */
function afterOf(
  members: readonly Reviewer<never, never>[],
  tier: Reviewer<never, never>['tier'],
): readonly string[] | undefined {
  const own = new Set(members.map(({ id }) => id));
  const followed = new Set(
    members.flatMap((member) => (member.tier === tier ? (member.after ?? []) : [])),
  );
  const after = [...followed].filter((id) => !own.has(id));
  return after.length === 0 ? undefined : after;
}

async function assessmentOf<Task, Output>(review: PanelReview<Task, Output>): Promise<Assessment> {
  const { rules, members } = review;
  const { ballots, failures, rounds } = await collectBallots(review);
  const voters = new Set(ballots.map(({ member }) => member)).size;
  if (voters < rules.quorum)
    return errored(
      rules,
      `${voters} of ${members.length} judges voted, and the quorum is ${rules.quorum}`,
      failures,
    );
  const votes = votesOf(ballots, failures.length);
  const vetoed = rules.veto !== undefined && votes.fail >= rules.veto;
  if (votes.pass === votes.fail && !vetoed && rules.tie === 'errored')
    return errored(rules, `the judges are split ${votes.pass} to ${votes.fail}`, failures);
  const score = scoreOf(ballots);
  const passed = votes.pass > votes.fail && !vetoed && score > 0;
  const base = {
    criterion: rules.id,
    explanation: explanationOf(ballots, votes, rounds),
    votes,
    category: ballots.flatMap(({ judged }) => judged).find(({ category }) => category)?.category,
    gaps: gapsOf(review, ballots, passed),
  };
  return passed
    ? { ...base, verdict: 'pass', score }
    : { ...base, verdict: 'fail', score: Math.min(score, votes.pass / ballots.length) };
}

function errored(
  { id }: PanelRules,
  reason: string,
  failures: readonly ReviewLoopError[],
): Assessment {
  const causes = failures.map(messageOf).join('; ');
  const retryable = failures.length === 0 || failures.some((failure) => failure.retryable);
  return {
    verdict: 'errored',
    criterion: id,
    error: new ReviewLoopError(
      reviewerErrors.quorum_missed,
      `${id}: ${reason}${causes === '' ? '' : ` (${causes})`}`,
      { cause: failures[0], retryable },
    ),
  };
}

function explanationOf(ballots: readonly Ballot[], votes: Votes, rounds: number): string {
  const { pass, fail, failed, agreement } = votes;
  const counts = `${pass} of ${pass + fail} votes pass${failed > 0 ? `, ${failed} failed` : ''}${rounds > 1 ? `, in ${rounds} rounds` : ''}`;
  const reasons = ballots.flatMap(({ name, judged }) =>
    judged
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ explanation }) => `${name}: ${explanation}`),
  );
  return [`${counts}; agreement ${scoreText(agreement)}.`, ...reasons].join(' ');
}

/** Each finding once; after a pass all of them are minor. */
function gapsOf<Task, Output>(
  { rules, subject }: PanelReview<Task, Output>,
  ballots: readonly Ballot[],
  passed: boolean,
): readonly Gap[] {
  const found = new Map<string, { gap: Gap; members: Set<number> }>();
  for (const { member, judged } of ballots) {
    const own = judged
      .flatMap((assessment) => signedGaps(assessment, rules.id))
      .map((gap): Gap => ({ ...gap, criterionId: rules.id, raisedBy: rules.id }));
    const known = [...found.values()].map(({ gap }) => gap);
    for (const gap of identified(own, subject.output, known)) {
      const entry = found.get(gap.id);
      if (entry === undefined) found.set(gap.id, { gap, members: new Set([member]) });
      else entry.members.add(member);
    }
  }
  return [...found.values()].map(({ gap, members }): Gap => {
    const standing =
      rules.toEdit === 1 ? gap.standing : members.size >= rules.toEdit ? 'confirmed' : 'disputed';
    return {
      ...gap,
      lifecycle: 'new',
      severity: passed ? 'minor' : gap.severity,
      ...(standing !== undefined && { standing }),
    };
  });
}

interface PanelReview<Task, Output> {
  readonly members: readonly Reviewer<Task, Output>[];
  readonly rules: PanelRules;
  readonly subject: ReviewSubject<Task, Output>;
  readonly context: ReviewerContext;
  readonly scoped: boolean;
}

interface Ballot {
  readonly member: number;
  readonly name: string;
  readonly passed: boolean;
  readonly score: number;
  readonly judged: readonly JudgedAssessment[];
}

/** Asks again while the result is borderline. */
async function collectBallots<Task, Output>(review: PanelReview<Task, Output>) {
  const { members, rules } = review;
  const answers: (Ballot | ReviewLoopError)[] = [];
  for (let round = 0; ; round += 1) {
    answers.push(...(await Promise.all(members.map((_, index) => ask(review, index, round)))));
    const ballots = answers.flatMap((one) => (one instanceof ReviewLoopError ? [] : [one]));
    const mayRepeat = round < (rules.borderline?.rounds ?? 0) && ballots.length >= rules.quorum;
    if (mayRepeat && isBorderline(ballots, rules)) continue;
    const failures = answers.filter((one) => one instanceof ReviewLoopError);
    return { ballots, failures, rounds: round + 1 };
  }
}

function scoreOf(ballots: readonly Ballot[]): number {
  return ballots.reduce((sum, { score }) => sum + score, 0) / Math.max(1, ballots.length);
}

/** Never rejects. */
async function ask<Task, Output>(
  { members, subject, context, scoped }: PanelReview<Task, Output>,
  index: number,
  round: number,
): Promise<Ballot | ReviewLoopError> {
  const member = members[index] as Reviewer<Task, Output>;
  const views = scoped ? (subject.output as readonly Output[]) : [];
  // each member has its own names for calls; in the first round it sees the history, as all do
  const own =
    round === 0
      ? namedContext(context, `member${index + 1}`)
      : secondOpinionContext(context, `member${index + 1}:again${round}`);
  try {
    const answer = await member.review(
      scoped ? { ...subject, output: views[index] as Output } : subject,
      own,
    );
    return ballotOf(member, index, checkedAnswer(member.id, answer).assessments);
  } catch (error) {
    return thrownBy(member.id, error);
  }
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
