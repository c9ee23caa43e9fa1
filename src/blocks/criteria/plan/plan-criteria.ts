import { checkRange, checkTable, fits, type OptionTable } from '../../../core/options.js';
import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { emptyContent } from '../files/content-rules.js';
import {
  acceptanceRule,
  assignmentRule,
  complexityRule,
  dependencyRule,
  type PlanOptions,
} from './plan-rules.js';
import { isNamedPlan, isTaskList } from './read-plans.js';

/**
 * Creates the criteria for plans: acceptance criteria, dependencies, complexity, assignment. A plan
 * is `result.epics[]`, a JSON or YAML file, or a Markdown list of numbered checkboxes. The file has
 * epics, features and tasks, or a list of tasks, which may be in groups. A plan without tasks fails
 * all criteria. Other files are not checked: a note of checkboxes without ids is not a plan.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = planCriteria({ acceptanceShare: 1 });
 * const pipeline = definePipeline({ produce: plan, reviewers });
 * ```
 */
export function planCriteria(options: PlanOptions = {}): ArtifactCriterion[] {
  const {
    acceptanceShare,
    assignedShare,
    complexityShare = 0.9,
    tooComplex,
    scale,
  } = checkedPlanOptions(options);
  return [
    artifactCriterion({ id: 'plan-acceptance-criteria', ...acceptanceRule(acceptanceShare) }),
    artifactCriterion({ id: 'plan-dependencies', ...dependencyRule() }),
    artifactCriterion({
      id: 'plan-complexity',
      ...complexityRule({ tooComplex, scale, share: complexityShare }),
    }),
    artifactCriterion({ id: 'plan-assignment', ...assignmentRule(assignedShare) }),
    emptyContent('plan', (artifact) => isNamedPlan(artifact) && !isTaskList(artifact)),
  ];
}

const texts = fits<object>(
  'a list of texts',
  (words) => Array.isArray(words) && words.every((word) => typeof word === 'string'),
);
const table: OptionTable<PlanOptions> = {
  ...{ acceptanceShare: checkRange, assignedShare: checkRange, complexityShare: checkRange },
  ...{ tooComplex: texts, scale: texts },
};

/** The default of `complexityShare` depends on the caller. */
export function checkedPlanOptions(options: PlanOptions): Required<{
  [Key in Exclude<keyof PlanOptions, 'complexityShare'>]: NonNullable<PlanOptions[Key]>;
}> &
  Pick<PlanOptions, 'complexityShare'> {
  checkTable('planCriteria', table, options);
  const {
    acceptanceShare = 0.9,
    assignedShare = 0.95,
    complexityShare,
    tooComplex = ['epic'],
    scale = usualScale,
  } = options;
  return { acceptanceShare, assignedShare, complexityShare, tooComplex, scale };
}

const usualScale =
  'trivial tiny minimal easy simple low minor xs s small m mid medium moderate normal average l large high hard big major complex difficult xl very-low very-high xxl huge epic s/m m/l'.split(
    ' ',
  );
