import { type Assessment, isJudged, type SkippedAssessment } from '../core/assessment.js';
import { type Gap, isOpen, severityAtLeast } from '../core/gap.js';
import type { Definition } from './definition.js';
import { isByCode, type ReviewerReply } from './reviewer-reply.js';

export { identifyGaps } from '../core/gap-identity.js';

/**
 * A model that found a gap in the version before, and now says that the criterion does not apply,
 * has closed nothing: the question is undecided.
 */
export function withAbstained<Task, Output>(
  earlier: readonly Gap[] = [],
  replies: readonly ReviewerReply[],
  { reviewers }: Pick<Definition<Task, Output>, 'reviewers'>,
): readonly ReviewerReply[] {
  if (!replies.some(({ assessments }) => assessments.some(isSkipped))) return replies;
  const open = earlier.filter(isOpen);
  return replies.map((reply) => {
    const { reviewer, assessments } = reply;
    if (!assessments.some(isSkipped) || isByCode(reviewer, reviewers)) return reply;
    const raised = open.filter(({ raisedBy }) => raisedBy === reviewer);
    return {
      ...reply,
      assessments: assessments.map((one) =>
        isSkipped(one) ? abstained(one, { reviewer, raised }) : one,
      ),
    };
  });
}

const isSkipped = (one: Assessment): one is SkippedAssessment => one.verdict === 'skipped';

function abstained(
  skipped: SkippedAssessment,
  { reviewer, raised }: { readonly reviewer: string; readonly raised: readonly Gap[] },
): Assessment {
  const { criterion, reason } = skipped;
  const gaps = raised.filter(
    ({ criterionId }) => criterionId === criterion || criterion === reviewer,
  );
  if (gaps.length === 0) return skipped;
  const blocks = gaps.some(({ severity }) => severityAtLeast(severity, 'major'));
  return {
    verdict: 'undecided',
    criterion,
    reason: `it does not apply (${reason}), says the judge that found a gap before`,
    decidableBy: ['person'],
    ...(!blocks && { mandatory: false }),
  };
}

interface Judging {
  readonly now: readonly Gap[];
  readonly answers: readonly ReviewerReply[];
  readonly assessments: readonly Assessment[];
}

/**
 * Sorts the gaps of the parent that are not found again: `fixed` if their criterion was judged, or,
 * where it has no assessment, all that their reviewer was asked. Nobody judged the others: they are
 * `gone` if a check by code says that the criterion no longer applies, else `unknown`.
 */
export function closedGaps(
  earlier: readonly Gap[] = [],
  { now, answers, assessments }: Judging,
): { readonly fixed: readonly Gap[]; readonly closed: readonly Gap[] } {
  const present = new Set(now.map((gap) => gap.id));
  const missing = earlier.filter((gap) => !present.has(gap.id) && isOpen(gap));
  if (missing.length === 0) return { fixed: [], closed: [] };
  const lifecycleOf = lifecycles(answers, assessments);
  const left = missing.map((gap) => ({ ...gap, lifecycle: lifecycleOf(gap) }));
  return {
    fixed: left.filter(({ lifecycle }) => lifecycle === 'fixed'),
    closed: left.filter(({ lifecycle }) => lifecycle !== 'fixed'),
  };
}

function lifecycles(
  answers: readonly ReviewerReply[],
  assessments: readonly Assessment[],
): (gap: Gap) => 'fixed' | 'gone' | 'unknown' {
  const criteria = new Map(assessments.map((one) => [one.criterion, one]));
  const reviewers = new Map(
    answers.map(({ reviewer, assessments: all }) => [reviewer, all.every(isJudged)]),
  );
  return ({ criterionId = '', raisedBy = '' }) => {
    const said = criteria.get(criterionId);
    if (said === undefined) return reviewers.get(raisedBy) ? 'fixed' : 'unknown';
    if (isJudged(said)) return 'fixed';
    return said.verdict === 'skipped' && said.notApplicable ? 'gone' : 'unknown';
  };
}
