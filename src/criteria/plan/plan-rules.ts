import type { Artifacts } from '../../core/artifact.js';
import type { CriterionResult, Finding } from '../../core/criterion.js';
import type { Effort } from '../../core/gap.js';
import type { ArtifactCheck } from '../artifact-criterion.js';
import { type Plan, type PlanAspect, type PlanTask, placed, taskName } from './plan.js';
import { judgeDependencies } from './plan-dependencies.js';
import { type Plans, plansOf } from './read-plans.js';

/** How strict the criteria about plans are. */
export interface PlanOptions {
  /** The share of tasks that need acceptance criteria. @default 0.9 */
  readonly acceptanceShare?: number | undefined;
  /** The share of tasks that need an agent. @default 0.95 */
  readonly assignedShare?: number | undefined;
  /** The share of tasks that need a complexity. @default 0.9, and 0 in `ProjectManagerReviewCriteria` */
  readonly complexityShare?: number | undefined;
  /** Complexities that are too much for one task. @default ['epic'] */
  readonly tooComplex?: readonly string[] | undefined;
  /** The words that complexities may be; numbers from 0 to 100 always may. @default trivial, simple, low, small, medium, large, high, complex, epic, XS to XXL and words like these */
  readonly scale?: readonly string[] | undefined;
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
    version: `plan/acceptance/2/${share}`,
    check: (output) =>
      judgeShare(output, {
        ...{
          share,
          aspect: 'acceptance criteria',
          have: 'have acceptance criteria',
          fix: 'Add specific, testable acceptance criteria',
          effort: 'medium',
        },
        problem: (task) =>
          task.acceptanceCriteria.length > 0 ? undefined : 'has no acceptance criteria',
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
    version: `plan/assignment/2/${share}`,
    check: (output) =>
      judgeShare(output, {
        ...{
          share,
          aspect: 'assignment',
          have: 'have an agent',
          fix: 'Assign an agent that fits the kind of task',
          effort: 'small',
        },
        problem: (task) => (task.assignedAgents.length > 0 ? undefined : 'has no agent'),
      }),
  };
}

/** No task is so large that it should be several, and the size of enough is known. */
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
      : `has a complexity that is on no scale: ${complexity.slice(0, 40)}`;
  };
  return {
    name: 'Balanced Complexity',
    description:
      'Every task has a complexity, and none is so complex that it should be broken down',
    severity: 'major',
    category: 'incomplete',
    version: `plan/complexity/2/${[...large].join()}/${[...known].join()}/${share}`,
    check: (output) =>
      judgeShare(output, {
        ...{
          share: 1,
          lackShare: share,
          aspect: 'complexity',
          have: 'are small enough',
          fix: 'Break it down into smaller tasks',
          effort: 'large',
        },
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

/** Dependencies name tasks of the plan, and no task waits for itself. */
export function dependencyRule(): PlanRule {
  return {
    name: 'Valid Dependencies',
    description: 'All dependencies exist and form no cycle',
    severity: 'critical',
    category: 'incorrect',
    version: 'plan/dependencies/2',
    check: async (output) => {
      const read = await plansOf(output);
      return unjudged(output, read) ?? withNote(judgeDependencies(read.plans), read);
    },
  };
}

/** How tasks are judged one by one. */
interface Share {
  readonly share: number;
  readonly aspect: PlanAspect;
  readonly have: string;
  readonly fix: string;
  readonly effort: Effort;
  /** What is wrong with a task; counted against `share`. */
  readonly problem: (task: PlanTask) => string | undefined;
  /** What a task lacks; counted against `lackShare`. */
  readonly lack?: (task: PlanTask) => string | undefined;
  readonly lackShare?: number;
}

async function judgeShare(
  output: Artifacts,
  { share, aspect, have, fix, effort, problem, lack = () => undefined, lackShare = 1 }: Share,
): Promise<CriterionResult> {
  const read = await plansOf(output);
  const without = unjudged(output, read);
  if (without !== undefined) return without;
  const asked = read.plans.filter(({ silentAbout }) => !silentAbout.has(aspect));
  const tasks = asked.flatMap((plan) => plan.tasks.filter(({ isPart }) => !isPart));
  if (tasks.length === 0)
    return skipped(
      `${read.plans.map(({ file }) => file ?? 'the result').join(', ')} says nothing of ${aspect}`,
    );
  const wrong = tasks.flatMap((task) => about(task, problem(task)));
  const lacking = tasks.flatMap((task) => about(task, lack(task)));
  const score = 1 - (wrong.length + lacking.length) / tasks.length;
  const passed =
    1 - wrong.length / tasks.length >= share &&
    1 - lacking.length / tasks.length >= lackShare &&
    score > 0;
  const needed = share < 1 ? ` (${Math.round(share * 1000) / 10}% needed)` : '';
  const unsized = lacking.length > 0 ? `, ${lacking.length} have no ${aspect}` : '';
  const details = `${tasks.length - wrong.length} of ${tasks.length} tasks ${have}${needed}${unsized}`;
  const findings = [
    ...wrong.map((entry) => finding(entry, fix)),
    ...lacking.map((entry) => finding(entry, `State its ${aspect}`)),
  ];
  const named = [...wrong, ...lacking].map(({ task }) => task);
  return withNote(
    {
      passed,
      score,
      details,
      estimatedEffort: effort,
      ...(!passed && { suggestedFix: `${fix}: ${names(named)}` }),
      ...(findings.length > 0 && { findings }),
    },
    read,
  );
}

function about(
  task: PlanTask,
  what: string | undefined,
): { readonly task: PlanTask; readonly what: string }[] {
  return what === undefined ? [] : [{ task, what }];
}

function finding(
  { task, what }: { readonly task: PlanTask; readonly what: string },
  suggestedFix: string,
): Finding {
  return placed(
    task.at,
    { description: `${taskName(task)} ${what}`, suggestedFix },
    task.title === '' ? task.id : task.title,
  );
}

/** The result where there is nothing to judge: an empty plan fails, files that are no plan are not checked. */
function unjudged(
  { artifacts, result }: Artifacts,
  { plans, notChecked }: Plans,
): CriterionResult | undefined {
  const [first] = notChecked;
  const empty = plans.find(({ tasks }) => tasks.length === 0);
  if (empty !== undefined) return emptyPlan(empty);
  if (plans.length > 0) return undefined;
  if (first !== undefined) return skipped(`${first.file} was not checked: ${first.reason}`);
  const files = Array.isArray(artifacts) ? artifacts : [];
  return files.length === 0 || result !== undefined
    ? emptyPlan({ file: undefined })
    : skipped('there is no plan among the files');
}

function skipped(reason: string): CriterionResult {
  return { passed: false, score: 0, details: '', skipped: reason.slice(0, 500) };
}

function withNote(result: CriterionResult, { notChecked }: Plans): CriterionResult {
  if (notChecked.length === 0) return result;
  return {
    ...result,
    details: `${result.details}; not checked: ${notChecked.map(({ file, reason }) => `${file} (${reason})`).join(', ')}`,
  };
}

function names(tasks: readonly PlanTask[]): string {
  const shown = tasks.slice(0, 10).map(taskName).join(', ');
  return tasks.length > 10 ? `${shown} and ${tasks.length - 10} more` : shown;
}

function emptyPlan({ file }: Pick<Plan, 'file'>): CriterionResult {
  const result = {
    passed: false,
    score: 0,
    details: 'The plan has no tasks',
    suggestedFix: 'Plan at least one task: result.epics[].features[].tasks[]',
    estimatedEffort: 'large',
  } as const;
  return file === undefined
    ? result
    : {
        ...result,
        suggestedFix: 'Plan at least one task',
        findings: [{ description: 'the plan has no tasks', file, line: 1 }],
      };
}
