import { isJudged } from '../core/assessment.js';
import { type Gap, isOpen } from '../core/gap.js';
import type { ReviewerReply } from './reviewer-reply.js';

export { identifyGaps } from '../core/gap-identity.js';

interface Judged {
  /** Whether a criterion has a verdict; `undefined` if it is an open question. */
  readonly verdicts: ReadonlyMap<string | undefined, boolean | undefined>;
  readonly answered: ReadonlyMap<string | undefined, boolean>;
}

/** Returns whether the judge of a gap answered; undefined if it could not tell. */
function closedBy({ verdicts, answered }: Judged, { criterionId, raisedBy }: Gap) {
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
export function carryGaps(
  earlier: readonly Gap[] = [],
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
