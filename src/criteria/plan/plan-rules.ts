import type { ArtifactCheck } from '../artifact-criterion.js';
import { judgeTasks, noteUnchecked, withoutTasks } from './judge-tasks.js';
import type { PlanTask } from './plan.js';
import { judgeDependencies } from './plan-dependencies.js';
import { plansOf } from './read-plans.js';

/** Options of {@link planCriteria}. */
export interface PlanOptions {
  /** The share of tasks that need acceptance criteria, 0 to 1. @default 0.9 */
  readonly acceptanceShare?: number | undefined;
  /** The share of tasks that need an agent, 0 to 1. @default 0.95 */
  readonly assignedShare?: number | undefined;
  /**
   * The share of tasks that need a complexity, 0 to 1.
   *
   * @default 0.9, and 0 in `ProjectManagerReviewCriteria`
   */
  readonly complexityShare?: number | undefined;
  /** Complexities that are too high for one task. @default ['epic'] */
  readonly tooComplex?: readonly string[] | undefined;
  /**
   * The allowed words for complexities. Numbers from 0 to 100 are always allowed.
   *
   * @default trivial, simple, low, small, medium, large, high, complex, epic, XS to XXL and similar
   *   words
   */
  readonly scale?: readonly string[] | undefined;
}

/** A rule for plans, without the id of its criterion. */
export type PlanRule = Omit<ArtifactCheck, 'id'>;

/** Returns the rule that requires acceptance criteria. */
export function acceptanceRule(share: number): PlanRule {
  return {
    name: 'Acceptance Criteria Present',
    description: 'Every task has acceptance criteria',
    severity: 'critical',
    category: 'incomplete',
    version: `plan/acceptance/2/${share}`,
    check: (output) =>
      judgeTasks(output, {
        share,
        aspect: 'acceptance criteria',
        have: 'have acceptance criteria',
        fix: 'Add specific, testable acceptance criteria',
        effort: 'medium',
        problem: (task) =>
          task.acceptanceCriteria.length > 0 ? undefined : 'has no acceptance criteria',
      }),
  };
}

/** Returns the rule that requires an agent for each task. */
export function assignmentRule(share: number): PlanRule {
  return {
    name: 'Agents Assigned',
    description: 'Every task has an agent',
    severity: 'major',
    category: 'incomplete',
    version: `plan/assignment/2/${share}`,
    check: (output) =>
      judgeTasks(output, {
        share,
        aspect: 'assignment',
        have: 'have an agent',
        fix: 'Assign an agent that fits the kind of task',
        effort: 'small',
        problem: (task) => (task.assignedAgents.length > 0 ? undefined : 'has no agent'),
      }),
  };
}

/** Returns the rule that requires a complexity for each task, and no task that is too complex. */
export function complexityRule({
  tooComplex,
  scale,
  share,
}: {
  readonly tooComplex: readonly string[];
  readonly scale: readonly string[];
  readonly share: number;
}): PlanRule {
  const large = new Set(tooComplex.map((word) => word.toLowerCase()));
  const known = new Set([...scale.map((word) => word.toLowerCase()), ...large]);
  const problem = ({ complexity }: PlanTask): string | undefined => {
    const word = complexity.toLowerCase();
    if (word === '') return undefined;
    if (large.has(word)) return 'is too complex for one task';
    return known.has(word) || isOnScale(word)
      ? undefined
      : `has an unknown complexity: ${complexity.slice(0, 40)}`;
  };
  return {
    name: 'Balanced Complexity',
    description:
      'Every task has a complexity, and none is so complex that it should be broken down',
    severity: 'major',
    category: 'incomplete',
    version: `plan/complexity/2/${[...large].join()}/${[...known].join()}/${share}`,
    check: (output) =>
      judgeTasks(output, {
        share: 1,
        lackShare: share,
        aspect: 'complexity',
        have: 'are small enough',
        fix: 'Break it down into smaller tasks',
        effort: 'large',
        problem,
        ...(share > 0 && {
          lack: ({ complexity }: PlanTask) => (complexity === '' ? 'has no complexity' : undefined),
        }),
      }),
  };
}

function isOnScale(word: string): boolean {
  return /^\d{1,3}(?:\.\d+)?$/.test(word) && Number(word) <= 100;
}

/** Returns the rule that requires dependencies to name tasks of the plan, without cycles. */
export function dependencyRule(): PlanRule {
  return {
    name: 'Valid Dependencies',
    description: 'All dependencies exist and form no cycle',
    severity: 'critical',
    category: 'incorrect',
    version: 'plan/dependencies/2',
    check: async (output) => {
      const read = await plansOf(output);
      return withoutTasks(output, read) ?? noteUnchecked(judgeDependencies(read.plans), read);
    },
  };
}
