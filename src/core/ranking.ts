import { type Assessment, isVerdict } from './assessment.js';
import { type Gap, isOpen, severityRank } from './gap.js';
import { checkKeys, invalid } from './options.js';
import { asksNobody, type UndecidedReview } from './policy.js';
import { overallSoFar, requirementPrefix, scoresOf } from './scores.js';

/**
 * A pure function that returns whether the challenger replaces the incumbent as the best version.
 */
export type Ranking = (challenger: UndecidedReview, incumbent: UndecidedReview) => boolean;

/** Criteria that must keep passing: their ids, or a function that tests an id. */
export type ProtectedCriteria = readonly string[] | ((criterion: string) => boolean);

export interface KeepBestOptions {
  /** Criteria that must keep passing, whatever the scores. @default [] */
  readonly protect?: ProtectedCriteria | undefined;
}

/**
 * Returns a ranking that keeps the best version. The challenger wins if all of this is true:
 *
 * - each criterion that judged the incumbent judged it, too, or no longer applies: a check by code
 *   found nothing that it is about. A judge that failed, abstained, could not tell or was not asked
 *   gave no answer, and a requirement always applies,
 * - every protected criterion that passed still passes,
 * - it has less of the first of these that differs: the severity of the worst open gap, failed
 *   criteria, remarks on passed criteria; or its overall score is strictly higher.
 *
 * A tie keeps the incumbent. If the challenger has more answers, for example of confirming judges,
 * only the criteria of both are compared, scores and gaps alike. So versions with the same answers
 * have one order, and no version is replaced by a chain of others that it replaced. The rule
 * follows TextGrad, which reverts worse versions. Studies also show that repeated edits degrade the
 * security of generated code.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const ranking = keepBest({ protect: ['safe'] });
 * const pipeline = definePipeline({ ...options, ranking });
 * ```
 */
export function keepBest(options: KeepBestOptions = {}): Ranking {
  checkKeys('keepBest', options, ['protect']);
  const isProtected = protection(options.protect);
  return asksNobody((challenger: UndecidedReview, incumbent: UndecidedReview) => {
    const now = answersOf(challenger);
    const before = answersOf(incumbent);
    if (lacksAnswer(now, before) || turnedFromPass(incumbent, challenger, isProtected).length > 0)
      return false;
    const shared = now.size === before.size ? undefined : new Set(before.keys());
    const worse = faultsOf(incumbent, shared);
    const difference = faultsOf(challenger, shared)
      .map((fault, index) => fault - (worse[index] ?? 0))
      .find((some) => some !== 0);
    return difference !== undefined && difference < 0;
  });
}

/** The verdict of each criterion that gave an answer: it judged the version, or does not apply to it. */
type Answers = ReadonlyMap<string, 'pass' | 'fail' | 'gone'>;

function answersOf({ assessments }: UndecidedReview): Answers {
  const answers = new Map<string, 'pass' | 'fail' | 'gone'>();
  for (const assessment of assessments)
    if (isVerdict(assessment)) answers.set(assessment.criterion, assessment.verdict);
    else if (assessment.verdict === 'skipped' && assessment.notApplicable)
      answers.set(assessment.criterion, 'gone');
  return answers;
}

/** Whether something that judged the version before gave no answer now. Skips alone are not an answer. */
function lacksAnswer(now: Answers, before: Answers): boolean {
  let wasJudged = false;
  for (const [criterion, answer] of before) {
    const answered = now.get(criterion);
    if (answered === undefined) return true;
    if (answer === 'gone') continue;
    wasJudged = true;
    if (answered === 'gone' && criterion.startsWith(requirementPrefix)) return true;
  }
  return wasJudged && isGone(now);
}

function isGone(answers: Answers): boolean {
  for (const answer of answers.values()) if (answer !== 'gone') return false;
  return true;
}

/**
 * Returns what speaks against a version, the weightiest first: how severe its worst open gap is (0
 * without one, 3 for a critical one), how many criteria fail, how severe the worst remark on a passed
 * criterion is, and how far its score is from 1. Criteria that only the other version was judged by
 * do not count: what was not asked about a version is not better there.
 *
 * @param shared - The criteria that count. Undefined if both versions have the same.
 */
function faultsOf(
  { assessments, gaps, scores }: UndecidedReview,
  shared: ReadonlySet<string> | undefined,
): readonly number[] {
  const counted = shared && assessments.filter(({ criterion }) => shared.has(criterion));
  let all: ReadonlyMap<string, Assessment> | undefined;
  const assessmentOf = ({ criterionId = '' }: Gap): Assessment | undefined => {
    all ??= new Map(assessments.map((one) => [one.criterion, one]));
    return all.get(criterionId);
  };
  const isCounted = (gap: Gap): boolean => {
    const about = shared && assessmentOf(gap);
    return isOpen(gap) && (about === undefined || shared?.has(about.criterion) === true);
  };
  const isRemark = (gap: Gap): boolean =>
    gap.severity === 'minor' && assessmentOf(gap)?.verdict === 'pass';
  let worst = 0;
  let worstRemark = 0;
  for (const gap of gaps) {
    if (!isCounted(gap)) continue;
    const rank = severityRank(gap.severity) + 1;
    if (isRemark(gap)) worstRemark = Math.max(worstRemark, rank);
    else worst = Math.max(worst, rank);
  }
  const failed = (counted ?? assessments).filter((one) => one.verdict === 'fail' && isVerdict(one));
  const overall = counted === undefined ? overallSoFar(scores) : scoresOf(counted).overall;
  return [worst, failed.length, worstRemark, 1 - (overall ?? -1)];
}

export function protection(given: ProtectedCriteria | undefined): (criterion: string) => boolean {
  if (typeof given === 'function') return given;
  if (given !== undefined && !(Array.isArray(given) && given.every((id) => typeof id === 'string')))
    throw invalid('protect', 'a list of ids, or a function', given);
  const ids = new Set(given);
  return (criterion) => ids.has(criterion);
}

export function turnedFromPass(
  before: UndecidedReview,
  after: UndecidedReview,
  isProtected: (criterion: string) => boolean,
): readonly string[] {
  const kept = before.assessments.filter(
    ({ verdict, criterion }) => verdict === 'pass' && isProtected(criterion),
  );
  if (kept.length === 0) return [];
  const passing = new Set(
    after.assessments.filter(({ verdict }) => verdict === 'pass').map(({ criterion }) => criterion),
  );
  return kept.map(({ criterion }) => criterion).filter((criterion) => !passing.has(criterion));
}
