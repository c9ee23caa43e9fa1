import {
  type Assessment,
  isJudged,
  type JudgedAssessment,
  type Votes,
} from '../core/assessment.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { Gap } from '../core/gap.js';
import { identifyGaps } from '../core/gap-identity.js';
import { hashText } from '../core/hash.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../core/reviewer.js';
import { checkedAnswer, signedGaps } from '../core/reviewer-answer.js';
import { type PanelOptions, type PanelRules, panelRules } from './panel-options.js';
import { freshLook } from './second-opinion-context.js';
import { type Vote, votesOf } from './votes.js';

/**
 * Several judges, one verdict. A member passes what all of its criteria pass. Too few votes are a failure of the panel (law 1), and an
 * even split is never a pass; `veto: 1` lets one dissent fail it. The assessment tells the votes, how far they agree, and about
 * how many independent votes they are worth. After PoLL (a small panel of different families), Jain et al. (a minority veto beats the
 * majority) and "Nine Judges, Two Effective Votes".
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const clear = panel([judgeOf(oneModel), judgeOf(anotherModel), judgeOf(aThirdModel)], { id: 'clear', quorum: 2, veto: 1 });
 * ```
 */
export function panel<Task, Output>(
  members: readonly Reviewer<Task, Output>[],
  options: PanelOptions = {},
): Reviewer<Task, Output> {
  const rules = panelRules(members, options);
  const scoped = members.some(({ scope }) => scope !== undefined);
  const lacking = members.some(({ withProvider }) => withProvider !== undefined);
  return {
    id: rules.id,
    version: hashText(
      ['panel', digestOf({ ...options }), ...members.map(({ version }) => version)].join('\u0000'),
    ).slice(0, 16),
    tier: tierOf(members),
    ...(members.some(({ reuse }) => reuse === 'run') && { reuse: 'run' as const }),
    ...(scoped && {
      scope: (subject) =>
        members.map((member) =>
          member.scope === undefined ? subject.output : member.scope(subject),
        ),
    }),
    ...(rules.toEdit > 1 && { checksFindings: true as const }),
    ...(lacking && {
      withProvider: (provider: LLMProvider) =>
        panel(
          members.map((member) => member.withProvider?.(provider) ?? member),
          { ...options, id: rules.id },
        ),
    }),
    review: async (subject, context) => [
      await verdict({ members, rules, subject, context, scoped }),
    ],
  };
}

/** The last tier of any member: a panel with a model in it is not a check by code. */
function tierOf(members: readonly Reviewer<never, never>[]): Reviewer<never, never>['tier'] {
  const tiers = members.map(({ tier }) => tier);
  if (tiers.includes('confirm')) return 'confirm';
  return tiers.includes('model') ? 'model' : 'code';
}

interface Sitting<Task, Output> {
  readonly members: readonly Reviewer<Task, Output>[];
  readonly rules: PanelRules;
  readonly subject: ReviewSubject<Task, Output>;
  readonly context: ReviewerContext;
  /** Whether the output of the subject is a list with the view of each member. */
  readonly scoped: boolean;
}

/** What one member said. */
interface Ballot extends Vote {
  readonly name: string;
  readonly judged: readonly JudgedAssessment[];
}

interface Poll {
  readonly ballots: readonly Ballot[];
  readonly failures: readonly ReviewLoopError[];
}

async function verdict<Task, Output>(sitting: Sitting<Task, Output>): Promise<Assessment> {
  const { rules, members } = sitting;
  const { ballots, failures, rounds } = await polls(sitting);
  const voters = new Set(ballots.map(({ member }) => member)).size;
  if (voters < rules.quorum)
    return errored(
      rules,
      `${voters} of ${members.length} judges gave a verdict, ${rules.quorum} are needed`,
      failures,
    );
  const votes = votesOf(ballots, failures.length, rules.correlation);
  const vetoed = rules.veto !== undefined && votes.fail >= rules.veto;
  if (votes.pass === votes.fail && !vetoed && rules.tie === 'errored')
    return errored(rules, `the judges are split ${votes.pass} to ${votes.fail}`, failures);
  const score = scoreOf(ballots);
  const passed = votes.pass > votes.fail && !vetoed && score > 0;
  const category = ballots
    .flatMap(({ judged }) => judged.map((assessment) => assessment.category))
    .find((known) => known !== undefined);
  const base = {
    criterion: rules.id,
    explanation: told(votes, ballots, rounds),
    votes,
    category,
    gaps: gapsOf(sitting, ballots, passed),
  };
  return passed
    ? { ...base, verdict: 'pass', score }
    : { ...base, verdict: 'fail', score: Math.min(score, votes.pass / ballots.length) };
}

/** Every member once, and again while it is a close thing. */
async function polls<Task, Output>(
  sitting: Sitting<Task, Output>,
): Promise<Poll & { readonly rounds: number }> {
  const { rules } = sitting;
  let { ballots, failures } = await poll(sitting, 0);
  let rounds = 1;
  for (
    const most = rules.borderline?.rounds ?? 0;
    rounds <= most && ballots.length >= rules.quorum && isBorderline(ballots, rules);
    rounds += 1
  ) {
    const more = await poll(sitting, rounds);
    ballots = [...ballots, ...more.ballots];
    failures = [...failures, ...more.failures];
  }
  return { ballots, failures, rounds };
}

function scoreOf(ballots: readonly Ballot[]): number {
  return ballots.reduce((sum, { score }) => sum + score, 0) / Math.max(1, ballots.length);
}

function errored(
  { id }: PanelRules,
  what: string,
  failures: readonly ReviewLoopError[],
): Assessment {
  const causes = failures.map(messageOf).join('; ');
  const retryable = failures.length === 0 || failures.some((failure) => failure.retryable);
  return {
    verdict: 'errored',
    criterion: id,
    error: new ReviewLoopError(
      'quorum_missed',
      `${id}: ${what}${causes === '' ? '' : ` (${causes})`}`,
      { cause: failures[0], retryable },
    ),
  };
}

/** Asks every member once; those of a later round start anew. */
async function poll<Task, Output>(
  { members, subject, context, scoped }: Sitting<Task, Output>,
  round: number,
): Promise<Poll> {
  const views = scoped ? (subject.output as readonly Output[]) : [];
  const answers = await Promise.all(
    members.map(async (member, index): Promise<Ballot | ReviewLoopError> => {
      const own = seatContext(
        context,
        round === 0 ? `member${index + 1}` : `member${index + 1}:again${round}`,
        round > 0,
      );
      try {
        return ballotOf(
          member,
          index,
          checkedAnswer(
            member.id,
            await member.review(
              scoped ? { ...subject, output: views[index] as Output } : subject,
              own,
            ),
          ).assessments,
        );
      } catch (error) {
        return error instanceof ReviewLoopError
          ? error
          : new ReviewLoopError('reviewer_threw', `${member.id} threw: ${messageOf(error)}`, {
              cause: error,
              retryable: true,
            });
      }
    }),
  );
  return {
    ballots: answers.filter((answer): answer is Ballot => !(answer instanceof ReviewLoopError)),
    failures: answers.filter(
      (answer): answer is ReviewLoopError => answer instanceof ReviewLoopError,
    ),
  };
}

/** Each member has names of its own for its calls; those of the first round see the history, as all reviewers do. */
function seatContext(context: ReviewerContext, name: string, anew: boolean): ReviewerContext {
  const own = freshLook(context, name);
  return anew
    ? own
    : Object.defineProperties(own, {
        previous: { value: context.previous, enumerable: true },
        best: { value: context.best, enumerable: true },
      });
}

/** The vote of a member. @throws ReviewLoopError When it gave none. */
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
  const judged = assessments.filter(isJudged);
  if (judged.length === 0)
    throw new ReviewLoopError('reviewer_invalid', `${member.id} judged nothing`);
  const score = judged.reduce((sum, assessment) => sum + assessment.score, 0) / judged.length;
  return {
    member: index,
    name: member.id,
    provider: member.asks?.provider,
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

function told(
  { pass, fail, failed, agreement, effective }: Votes,
  ballots: readonly Ballot[],
  rounds: number,
): string {
  const counts = `${pass} of ${pass + fail} votes pass${failed > 0 ? `, ${failed} gave none` : ''}${rounds > 1 ? `, in ${rounds} rounds` : ''}`;
  const statistics = `agreement ${Math.floor(agreement * 100) / 100}, worth about ${effective} independent votes (assumed, not measured)`;
  const reasons = ballots
    .filter(({ passed }) => !passed)
    .flatMap(({ name, judged }) =>
      judged
        .filter(({ verdict: said }) => said === 'fail')
        .map(({ explanation }) => `${name}: ${explanation}`),
    );
  return [`${counts}; ${statistics}.`, ...reasons].join(' ');
}

/** What the members found, the same finding once; of a pass, remarks only. */
function gapsOf<Task, Output>(
  { rules, subject }: Sitting<Task, Output>,
  ballots: readonly Ballot[],
  passed: boolean,
): readonly Gap[] {
  const found = new Map<string, { gap: Gap; members: Set<number> }>();
  for (const { member, judged } of ballots) {
    const own = judged
      .flatMap((assessment) => signedGaps(assessment, rules.id))
      .map((gap): Gap => ({ ...gap, criterionId: rules.id, raisedBy: rules.id }));
    const known = [...found.values()].map(({ gap }) => gap);
    for (const gap of identifyGaps(
      own,
      subject.output,
      { gaps: known, output: subject.output },
      new Set(),
    )) {
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
