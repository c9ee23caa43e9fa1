import type { Assessment, Votes } from '../../core/assessment.js';
import { keepOrder } from '../../core/decorate-reviewer.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import { identifyGaps } from '../../core/gap-identity.js';
import { hashText } from '../../core/hash.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { signedGaps } from '../../core/named-gaps.js';
import type { Reviewer } from '../../core/reviewer.js';
import { scoreText } from '../../core/score-text.js';
import { reviewerErrors } from './errors.js';
import {
  type Ballot,
  collectBallots,
  type PanelOptions,
  type PanelReview,
  type PanelRules,
  panelRules,
  scoreOf,
} from './panel-ballots.js';
import { votesOf } from './second-opinion.js';

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
  return panelAssessment(review, { ballots, rounds, votes, passed, score });
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

export interface PanelResult {
  readonly ballots: readonly Ballot[];
  readonly rounds: number;
  readonly votes: Votes;
  readonly passed: boolean;
  /** From 0 to 1. */
  readonly score: number;
}

function panelAssessment<Task, Output>(
  review: PanelReview<Task, Output>,
  result: PanelResult,
): Assessment {
  const { ballots, votes, passed, score } = result;
  const category = ballots
    .flatMap(({ judged }) => judged.map((assessment) => assessment.category))
    .find((known) => known !== undefined);
  const base = {
    criterion: review.rules.id,
    explanation: explanationOf(result),
    votes,
    category,
    gaps: gapsOf(review, ballots, passed),
  };
  return passed
    ? { ...base, verdict: 'pass', score }
    : { ...base, verdict: 'fail', score: Math.min(score, votes.pass / ballots.length) };
}

function explanationOf({ votes, ballots, rounds }: PanelResult): string {
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
