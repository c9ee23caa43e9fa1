import type { CriterionResult, Finding } from '../../core/criterion.js';
import { plural } from '../../core/plural.js';
import { cyclesIn, cycleText } from './cycles.js';
import { type Plan, type PlanDependency, type PlanTask, placed, taskName } from './plan.js';

interface Unknown {
  readonly task: PlanTask;
  readonly dependency: PlanDependency;
}

export function judgeDependencies(plans: readonly Plan[]): CriterionResult {
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

/** Returns the tasks by key, and the tasks with a duplicate key. */
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
