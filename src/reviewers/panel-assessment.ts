import type { Assessment, Votes } from '../core/assessment.js';
import type { Gap } from '../core/gap.js';
import { identifyGaps } from '../core/gap-identity.js';
import { signedGaps } from '../core/named-gaps.js';
import { scoreText } from '../core/score-text.js';
import type { Ballot, PanelReview } from './panel-ballots.js';

/** The counted votes of a panel. */
export interface PanelResult {
  readonly ballots: readonly Ballot[];
  /** How often the members were asked. */
  readonly rounds: number;
  readonly votes: Votes;
  readonly passed: boolean;
  /** The mean score, from 0 to 1. */
  readonly score: number;
}

/** Returns the one assessment of a panel that has voted. */
export function panelAssessment<Task, Output>(
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

/** Returns the findings of the members, each once; after a pass all of them are minor. */
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
