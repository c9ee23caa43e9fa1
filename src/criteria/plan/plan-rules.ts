import type { AgentOutput } from '../../kernel/agent.js';
import type { CriterionFinding, CriterionResult } from '../../kernel/criterion.js';
import type { Effort } from '../../kernel/gap.js';
import type { ArtifactCheck } from '../artifact-criterion.js';
import { cyclesIn, cycleText } from './cycles.js';
import { type Plan, type PlanTask, planOf, taskName } from './plan.js';

/** How strict the criteria about plans are. */
export interface PlanOptions {
  /** The share of tasks that need acceptance criteria. @default 0.9 */
  readonly acceptanceShare?: number | undefined;
  /** The share of tasks that need an agent. @default 0.95 */
  readonly assignedShare?: number | undefined;
  /** Complexities that are too much for one task. @default ['epic'] */
  readonly tooComplex?: readonly string[] | undefined;
}

/** A rule about plans, still without the id that it is published under. */
export type PlanRule = Omit<ArtifactCheck, 'id'>;

/** Enough tasks say when they are done. */
export function acceptanceRule(share: number): PlanRule {
  return {
    name: 'Acceptance Criteria Present',
    description: 'Every task has acceptance criteria',
    severity: 'critical',
    category: 'incomplete',
    version: `plan/acceptance/1/${share}`,
    check: (output) =>
      judgeShare(output, {
        share,
        have: 'have acceptance criteria',
        lack: 'has no acceptance criteria',
        fix: 'Add specific, testable acceptance criteria',
        effort: 'medium',
        fulfils: (task) => task.acceptanceCriteria.length > 0,
      }),
  };
}

/** Enough tasks have somebody who does them. */
export function assignmentRule(share: number): PlanRule {
  return {
    name: 'Agents Assigned',
    description: 'Every task has an agent that does it',
    severity: 'major',
    category: 'incomplete',
    version: `plan/assignment/1/${share}`,
    check: (output) =>
      judgeShare(output, { share, have: 'have an agent', lack: 'has no agent', fix: 'Assign an agent that fits the kind of task', effort: 'small', fulfils: (task) => task.assignedAgents.length > 0 }),
  };
}

/** No task is so large that it should be several. */
export function complexityRule(tooComplex: readonly string[]): PlanRule {
  const large = new Set(tooComplex.map((word) => word.toLowerCase()));
  return {
    name: 'Balanced Complexity',
    description: 'No task is so complex that it should be broken down',
    severity: 'major',
    category: 'incomplete',
    version: `plan/complexity/1/${[...large].join()}`,
    check: (output) =>
      judgeShare(output, {
        share: 1,
        have: 'are small enough',
        lack: 'is too complex for one task',
        fix: 'Break it down into smaller tasks',
        effort: 'large',
        fulfils: (task) => !large.has(task.complexity.toLowerCase()),
      }),
  };
}

/** Dependencies name tasks of the plan, and no task waits for itself. */
export function dependencyRule(): PlanRule {
  return {
    name: 'Valid Dependencies',
    description: 'All dependencies exist and form no cycle',
    severity: 'critical',
    category: 'incorrect',
    version: 'plan/dependencies/1',
    check: judgeDependencies,
  };
}

interface Share {
  readonly share: number;
  readonly have: string;
  readonly lack: string;
  readonly fix: string;
  readonly effort: Effort;
  readonly fulfils: (task: PlanTask) => boolean;
}

function judgeShare(output: AgentOutput, { share, have, lack, fix, effort, fulfils }: Share): CriterionResult {
  const { tasks } = planOf(output);
  if (tasks.length === 0) return emptyPlan;
  const lacking = tasks.filter((task) => !fulfils(task));
  const score = 1 - lacking.length / tasks.length;
  const passed = score >= share && score > 0;
  const details = `${tasks.length - lacking.length} of ${tasks.length} tasks ${have}${share < 1 ? ` (${Math.round(share * 1000) / 10}% needed)` : ''}`;
  const findings = lacking.map((task): CriterionFinding => finding(task, `${taskName(task)} ${lack}`, fix));
  return { passed, score, details, estimatedEffort: effort, ...(!passed && { suggestedFix: `${fix}: ${names(lacking)}` }), ...(findings.length > 0 && { findings }) };
}

function judgeDependencies(output: AgentOutput): CriterionResult {
  const plan = planOf(output);
  if (plan.tasks.length === 0) return emptyPlan;
  const graph = graphOf(plan);
  const unknown = plan.tasks.flatMap((task) => task.dependencies.filter((id) => !graph.has(id)).map((id) => ({ task, id })));
  const cycles = cyclesIn(graph);
  const fix = 'Name existing tasks as dependencies, and break every cycle';
  const findings = [
    ...unknown.map(({ task, id }) => finding(task, `${taskName(task)} depends on ${id}, which is not in the plan`, 'Name an existing task, or add the missing one')),
    ...cycles.map(
      (cycle): CriterionFinding => ({
        description: `the dependencies form a cycle: ${cycleText(cycle)}`,
        suggestedFix: 'Remove one of these dependencies',
        ...(cycle[0] !== undefined && { evidence: cycle[0] }),
      }),
    ),
  ];
  if (findings.length === 0) return { passed: true, score: 1, details: `The dependencies of ${plan.tasks.length} tasks are valid`, estimatedEffort: 'medium' };
  const parts = [
    unknown.length > 0 &&
      `Invalid dependencies: ${unknown
        .slice(0, 20)
        .map(({ task, id }) => `${task.id} -> ${id}`)
        .join(', ')}`,
    cycles.length > 0 && `Circular dependencies: ${cycles.map(cycleText).join('; ')}`,
  ];
  return { passed: false, score: 0, details: parts.filter((part) => part !== false).join('. '), suggestedFix: fix, estimatedEffort: 'medium', findings };
}

function graphOf({ tasks }: Plan): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const { id, dependencies } of tasks) {
    if (id === '') continue;
    const known = graph.get(id);
    if (known === undefined) graph.set(id, [...dependencies]);
    else known.push(...dependencies);
  }
  return graph;
}

function finding(task: PlanTask, description: string, suggestedFix: string): CriterionFinding {
  const evidence = task.title === '' ? task.id : task.title;
  return { description, suggestedFix, ...(evidence !== '' && { evidence }) };
}

function names(tasks: readonly PlanTask[]): string {
  const shown = tasks.slice(0, 10).map(taskName).join(', ');
  return tasks.length > 10 ? `${shown} and ${tasks.length - 10} more` : shown;
}

const emptyPlan: CriterionResult = { passed: false, score: 0, details: 'The plan has no tasks', suggestedFix: 'Plan at least one task: result.epics[].features[].tasks[]', estimatedEffort: 'large' };
