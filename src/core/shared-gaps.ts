import { type Assessment, isJudged } from './assessment.js';
import { coverageState, type RequirementCoverage } from './coverage.js';
import { type Gap, isOpen, severityRank } from './gap.js';
import { requirementPrefix } from './scores.js';

export interface RaisedGaps {
  readonly assessment: Assessment;
  readonly gaps: readonly Gap[];
  /** The index of the assessment that has the gaps of this one. @default it has its own */
  readonly sharedWith?: number | undefined;
}

/**
 * Leaves out the gap of a violated requirement, if the check that decided it reports the same
 * places as gaps. These gaps name the requirement, and are as severe as the one left out.
 */
export function sharedGaps<Raised extends RaisedGaps>(
  raised: readonly Raised[],
): readonly (Raised & Pick<RaisedGaps, 'sharedWith'>)[] {
  const shared: (Raised & Pick<RaisedGaps, 'sharedWith'>)[] = [...raised];
  for (const [index, one] of raised.entries()) {
    const violation = violationOf(one);
    if (violation === undefined) continue;
    const { coverage, gap } = violation;
    const by = shared.findIndex(
      ({ assessment }) =>
        assessment.criterion === (coverage.reportedBy ?? coverage.decidedBy) &&
        assessment.verdict === 'fail',
    );
    const check = shared[by];
    const same = check && samePlaces(coverage, check.gaps);
    if (check === undefined || same === undefined) continue;
    shared[by] = {
      ...check,
      gaps: check.gaps.map((other) => (same.has(other) ? withRequirement(other, gap) : other)),
    };
    shared[index] = { ...one, gaps: [], sharedWith: by };
  }
  return shared;
}

interface Violation {
  readonly coverage: RequirementCoverage;
  readonly gap: Gap;
}

/** Only for a violation that a check decided: its only gap says nothing but the requirement. */
function violationOf({ assessment, gaps }: RaisedGaps): Violation | undefined {
  if (assessment.verdict !== 'fail' || !assessment.criterion.startsWith(requirementPrefix))
    return undefined;
  const { coverage } = assessment;
  const [gap] = gaps;
  if (coverage === undefined || gap === undefined || gaps.length > 1) return undefined;
  const isOwn =
    gap.affectedRequirement === coverage.requirement &&
    gap.criterionId === assessment.criterion &&
    gap.location === undefined &&
    isOpen(gap);
  const isCertain = coverageState(coverage) === 'uncovered' && isCheck(coverage.decidedBy);
  return isOwn && isCertain ? { coverage, gap } : undefined;
}

function isCheck(decidedBy: string | undefined): boolean {
  return decidedBy !== undefined && decidedBy !== 'model' && decidedBy !== 'person';
}

/** Undefined if a place has none. */
function samePlaces(
  { evidence = [], files = [] }: RequirementCoverage,
  gaps: readonly Gap[],
): ReadonlySet<Gap> | undefined {
  const free = gaps.filter(
    (gap) => isOpen(gap) && gap.autoFixable && gap.affectedRequirement === undefined,
  );
  const places = [
    ...evidence.map(({ file, line }) => free.filter((gap) => isAt(gap, file, line))),
    ...files.map((file) => free.filter((gap) => gap.location?.file === file)),
  ];
  return places.length > 0 && places.every((found) => found.length > 0)
    ? new Set(places.flat())
    : undefined;
}

function isAt({ location }: Gap, file: string, line: number): boolean {
  const { line: from = 0, endLine: to = from } = location ?? {};
  return location?.file === file && from <= line && line <= to;
}

function withRequirement(gap: Gap, { affectedRequirement, severity }: Gap): Gap {
  const isWorse = severityRank(severity) > severityRank(gap.severity);
  return { ...gap, affectedRequirement, severity: isWorse ? severity : gap.severity };
}

export function withSharedGaps(
  named: readonly Assessment[],
  raised: readonly RaisedGaps[],
): Assessment[] {
  return named.map((assessment, index): Assessment => {
    const check = named[raised[index]?.sharedWith ?? -1];
    if (check === undefined || !isJudged(check) || !isJudged(assessment)) return assessment;
    const requirement = assessment.coverage?.requirement;
    const gaps = check.gaps.filter((gap) => gap.affectedRequirement === requirement);
    return { ...assessment, gaps };
  });
}
