import type { CriterionResult, Finding } from '../../../core/criterion.js';
import { plural } from '../../../core/plural.js';
import type { ArtifactCheck } from '../artifact-criterion.js';
import { cyclesIn, cycleText } from './cycles.js';
import { judgeTasks, noteUnchecked, withoutTasks } from './judge-tasks.js';
import { type Plan, type PlanDependency, type PlanTask, placed, taskName } from './plan.js';
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

export type PlanRule = Omit<ArtifactCheck, 'id'>;

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

interface Unknown {
  readonly task: PlanTask;
  readonly dependency: PlanDependency;
}

function judgeDependencies(plans: readonly Plan[]): CriterionResult {
  const judged = plans.map(judgePlan);
  const remarks = judged.flatMap(({ twins }) => twins);
  const unknown = judged.flatMap((one) => one.unknown);
  const cycles = judged.flatMap((one) => one.cycles);
  const count = plans.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const findings = [...judged.flatMap((one) => one.findings), ...remarks];
  const listed = findings.length > 0 && { findings };
  if (unknown.length === 0 && cycles.length === 0)
    return {
      passed: true,
      score: 1,
      details: `The dependencies of ${plural(count, 'task')} are valid`,
      estimatedEffort: 'medium',
      ...listed,
    };
  const parts = [
    unknown.length > 0 &&
      `Invalid dependencies: ${unknown
        .slice(0, 20)
        .map(({ task, dependency }) => `${task.id} -> ${dependency.id}`)
        .join(', ')}`,
    cycles.length > 0 && `Circular dependencies: ${cycles.map(cycleText).join('; ')}`,
  ];
  const suggestedFix = 'Name existing tasks as dependencies, and break every cycle';
  return {
    passed: false,
    score: 0,
    details: parts.filter((part) => part !== false).join('. '),
    suggestedFix,
    estimatedEffort: 'medium',
    ...listed,
  };
}

interface Judged {
  readonly unknown: readonly Unknown[];
  readonly cycles: readonly (readonly string[])[];
  readonly findings: readonly Finding[];
  readonly twins: readonly Finding[];
}

function judgePlan({ tasks }: Plan): Judged {
  const { byKey, twins } = keyed(tasks);
  const graph = new Map([...byKey.keys()].map((key): [string, string[]] => [key, []]));
  const resolved = tasks.flatMap((task) =>
    task.dependencies.map((dependency) => ({
      task,
      dependency,
      key: dependency.keys.find((candidate) => byKey.has(candidate)),
    })),
  );
  for (const { task, key } of resolved) if (key !== undefined) graph.get(task.key)?.push(key);
  const unknown = resolved.filter(({ key }) => key === undefined);
  const cycles = cyclesIn(graph);
  return {
    unknown,
    cycles,
    findings: [
      ...unknown.map(unknownFinding),
      ...cycles.map((cycle) => cycleFinding(cycle, byKey)),
    ],
    twins,
  };
}

function keyed(tasks: readonly PlanTask[]): {
  readonly byKey: ReadonlyMap<string, PlanTask>;
  readonly twins: readonly Finding[];
} {
  const byKey = new Map<string, PlanTask>();
  const twins: Finding[] = [];
  for (const task of tasks.filter(({ key }) => key !== '')) {
    const known = byKey.get(task.key);
    if (known === undefined) byKey.set(task.key, task);
    else
      twins.push(
        placed(
          task.at,
          {
            description: `duplicate id ${task.id}: ${taskName(known)} has it too`,
            suggestedFix: 'Give each task a unique id',
            severity: 'minor',
          },
          task.title,
        ),
      );
  }
  return { byKey, twins };
}

function unknownFinding({ task, dependency }: Unknown): Finding {
  const description = `${taskName(task)} depends on ${dependency.id.slice(0, 200)}, which is not in the plan`;
  return placed(
    dependency.at,
    { description, suggestedFix: 'Name an existing task, or add the missing one' },
    task.title === '' ? task.id : task.title,
  );
}

function cycleFinding(cycle: readonly string[], byKey: ReadonlyMap<string, PlanTask>): Finding {
  const [from = '', to = ''] = cycle;
  const task = byKey.get(from);
  const place =
    task?.dependencies.find(({ keys }) => keys.find((key) => byKey.has(key)) === to)?.at ??
    task?.at;
  const description =
    from === to
      ? `${task === undefined ? from : taskName(task)} depends on itself: ${cycleText(cycle)}`
      : `the dependencies form a cycle: ${cycleText(cycle)}`;
  return placed(
    place,
    {
      description,
      suggestedFix: from === to ? 'Remove the dependency' : 'Remove one of these dependencies',
    },
    from,
  );
}
