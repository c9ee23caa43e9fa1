import { checkKeys, checkRange, invalid } from '../../kernel/options.js';
import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { acceptanceRule, assignmentRule, complexityRule, dependencyRule, type PlanOptions } from './plan-rules.js';

/**
 * The criteria about plans in `result.epics[].features[].tasks[]`: acceptance criteria, dependencies, complexity,
 * assignment. A plan without tasks fails all of them.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: plan, reviewers: planCriteria({ acceptanceShare: 1 }) });
 * ```
 */
export function planCriteria(options: PlanOptions = {}): ArtifactCriterion[] {
  const { acceptanceShare, assignedShare, tooComplex } = checkedPlanOptions(options);
  return [
    artifactCriterion({ id: 'plan-acceptance-criteria', ...acceptanceRule(acceptanceShare) }),
    artifactCriterion({ id: 'plan-dependencies', ...dependencyRule() }),
    artifactCriterion({ id: 'plan-complexity', ...complexityRule(tooComplex) }),
    artifactCriterion({ id: 'plan-assignment', ...assignmentRule(assignedShare) }),
  ];
}

/** The options with their defaults. */
export function checkedPlanOptions(options: PlanOptions): Required<{ [Key in keyof PlanOptions]: NonNullable<PlanOptions[Key]> }> {
  checkKeys('planCriteria', options, ['acceptanceShare', 'assignedShare', 'tooComplex']);
  const { acceptanceShare = 0.9, assignedShare = 0.95, tooComplex = ['epic'] } = options;
  checkRange('acceptanceShare', acceptanceShare);
  checkRange('assignedShare', assignedShare);
  if (!Array.isArray(tooComplex) || tooComplex.some((word) => typeof word !== 'string')) throw invalid('tooComplex', 'a list of texts', tooComplex);
  return { acceptanceShare, assignedShare, tooComplex };
}
