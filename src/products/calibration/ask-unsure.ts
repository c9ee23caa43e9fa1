import { isJudged, type JudgedAssessment } from '../../core/assessment.js';
import { shareOfScale } from '../../core/grade.js';
import { checkChoice, checkKeys, checkList, checkRange, invalid } from '../../core/options.js';
import type { Evidence, Policy } from '../../core/policy.js';
import { figureText } from '../../core/score-text.js';
import { refuseApproval } from '../../engine/policies/guards.js';
import { checkOpenShare } from './approval-label.js';

export interface AskUnsureOptions {
  /** The share of approvals that a person sees; above 0, below 1. */
  readonly share: number;
  /**
   * How sure the judges were of earlier approvals, from 0 to 1, as {@link sureness} returns it. The
   * first approvals are then compared with these.
   *
   * @default [] the first approval is asked about
   */
  readonly earlier?: readonly number[] | undefined;
  /**
   * Whether such an approval becomes a question (`ask`) or ends the run as escalated.
   *
   * @default 'ask'
   */
  readonly otherwise?: 'ask' | 'escalate' | undefined;
}

/**
 * Creates a policy that puts the approvals with the lowest grades to a person: `share` of all that it
 * has seen. On recorded judges, the lowest tenth contains a third to two fifths of the wrong approvals.
 * If models judge and none of them grades, it asks about every approval: set `scale`. Other decisions
 * of the inner policy pass through.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = askUnsure(thresholds(), { share: 0.1 });
 * ```
 */
export function askUnsure(policy: Policy, options: AskUnsureOptions): Policy {
  if (typeof policy !== 'function') throw invalid('policy', 'a policy', policy);
  checkKeys('askUnsure', options, ['share', 'earlier', 'otherwise']);
  const { share, earlier = [], otherwise = 'ask' } = options;
  checkOpenShare('share', share);
  checkList('earlier', earlier);
  for (const [index, one] of earlier.entries()) checkRange(`earlier[${index}]`, one);
  checkChoice('otherwise', otherwise, ['ask', 'escalate']);
  const seen = new SeenApprovals(share, earlier);
  return (evidence) => {
    const decision = policy(evidence);
    if (decision?.kind !== 'approve') return decision;
    const sure = sureness(evidence);
    if (sure === undefined && !hasModel(evidence)) return decision;
    if (sure !== undefined && !seen.isAsked(evidence.review.version, sure)) return decision;
    const why =
      sure === undefined
        ? 'no judge gave a grade, so nobody knows how sure they are: set `scale`'
        : `the mean grade ${figureText(sure)} of its least sure criterion is among the lowest ${figureText(share * 100)} %`;
    return refuseApproval(decision, { why, code: 'judges_unsure', otherwise });
  };
}

/**
 * Returns how sure the judges of a version are, from 0 to 1: the mean grade of the criterion that they
 * are least sure of. Undefined if no judge gave a grade.
 */
export function sureness({ review }: Pick<Evidence, 'review'>): number | undefined {
  const means = review.assessments.filter(isJudged).flatMap(meanGrade);
  return means.length === 0 ? undefined : Math.min(...means);
}

function meanGrade({ grade, votes, decidedBy }: JudgedAssessment): number[] {
  if (decidedBy !== undefined) return [];
  const given = (votes?.by ?? []).flatMap((vote) => vote.grade ?? []);
  const grades = given.length > 0 ? given : grade === undefined ? [] : [grade];
  if (grades.length === 0) return [];
  return [grades.reduce((sum, one) => sum + shareOfScale(one), 0) / grades.length];
}

function hasModel({ judges }: Pick<Evidence, 'judges'>): boolean {
  return judges === undefined || judges.some(({ tier }) => tier !== 'code');
}

/** As many verdicts are remembered by their version; those of older ones are counted only. */
const mostVersions = 10_000;

class SeenApprovals {
  readonly #share: number;
  readonly #counts = new Map<number, { all: number; asked: number }>();
  /** By version, so that a run that is resumed asks as it did before. */
  readonly #known = new Map<string, boolean>();
  #all = 0;

  constructor(share: number, earlier: readonly number[]) {
    this.#share = share;
    for (const sure of earlier) this.#decide(sure);
  }

  isAsked(version: string, sure: number): boolean {
    const known = this.#known.get(version);
    if (known !== undefined) return known;
    const asked = this.#decide(sure);
    this.#known.set(version, asked);
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > mostVersions) this.#known.delete(oldest);
    return asked;
  }

  /** Returns whether an approval is among the lowest; of equal ones, as many as there is room for. */
  #decide(sure: number): boolean {
    this.#all += 1;
    const same = this.#counts.get(sure) ?? { all: 0, asked: 0 };
    this.#counts.set(sure, same);
    let lower = 0;
    for (const [other, { all }] of this.#counts) if (other < sure) lower += all;
    same.all += 1;
    const asked = lower + same.asked < Math.ceil(this.#share * this.#all);
    if (asked) same.asked += 1;
    return asked;
  }
}
