import type { Artifacts } from '../../../core/artifact.js';
import type { CriterionResult, Finding } from '../../../core/criterion.js';
import type { Effort } from '../../../core/gap.js';
import { shortList } from '../../../core/plural.js';
import { skipped } from '../artifact-criterion.js';
import { type Plan, type PlanAspect, type PlanTask, placed, taskName } from './plan.js';
import { type Plans, plansOf } from './read-plans.js';

export interface TaskRule {
  readonly share: number;
  readonly aspect: PlanAspect;
  readonly have: string;
  readonly fix: string;
  readonly effort: Effort;
  /** Returns the problem of a task. Problems count against `share`. */
  readonly problem: (task: PlanTask) => string | undefined;
  /** Returns what a task lacks. Such tasks count against `lackShare`. */
  readonly lack?: (task: PlanTask) => string | undefined;
  readonly lackShare?: number;
}

export async function judgeTasks(
  output: Artifacts,
  { share, aspect, have, fix, effort, problem, lack = () => undefined, lackShare = 1 }: TaskRule,
): Promise<CriterionResult> {
  const read = await plansOf(output);
  const without = withoutTasks(output, read);
  if (without !== undefined) return without;
  const asked = read.plans.filter(({ silentAbout }) => !silentAbout.has(aspect));
  const parts = asked.map((plan) => partOf(plan, problem, lack)).filter(hasTasks);
  const tasks = parts.flatMap((part) => part.tasks);
  if (tasks.length === 0)
    return skipped(
      `${read.plans.map(({ file }) => file ?? 'the result').join(', ')} does not mention ${aspect}`.slice(
        0,
        500,
      ),
    );
  const wrong = parts.flatMap((part) => part.wrong);
  const lacking = parts.flatMap((part) => part.lacking);
  const score = 1 - (wrong.length + lacking.length) / tasks.length;
  const failed = parts.filter(
    (part) => goodShare(part, part.wrong) < share || goodShare(part, part.lacking) < lackShare,
  );
  const passed = failed.length === 0 && score > 0;
  const needed = share < 1 ? ` (${Math.round(share * 1000) / 10}% needed)` : '';
  const unsized = lacking.length > 0 ? `, ${lacking.length} have no ${aspect}` : '';
  const details = `${tasks.length - wrong.length} of ${tasks.length} tasks ${have}${needed}${unsized}${groupsOf(failed)}`;
  const findings = [
    ...wrong.map((entry) => finding(entry, fix)),
    ...lacking.map((entry) => finding(entry, `State its ${aspect}`)),
  ];
  const named = [...wrong, ...lacking].map(({ task }) => task);
  return noteUnchecked(
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

interface Remark {
  readonly task: PlanTask;
  readonly what: string;
}

interface PlanPart {
  readonly group: string | undefined;
  readonly tasks: readonly PlanTask[];
  readonly wrong: readonly Remark[];
  readonly lacking: readonly Remark[];
}

function partOf(
  plan: Plan,
  problem: TaskRule['problem'],
  lack: NonNullable<TaskRule['lack']>,
): PlanPart {
  const tasks = plan.tasks.filter(({ isPart }) => !isPart);
  return {
    group: plan.group,
    tasks,
    wrong: tasks.flatMap((task) => about(task, problem(task))),
    lacking: tasks.flatMap((task) => about(task, lack(task))),
  };
}

function hasTasks({ tasks }: PlanPart): boolean {
  return tasks.length > 0;
}

function goodShare({ tasks }: PlanPart, remarks: readonly Remark[]): number {
  return 1 - remarks.length / tasks.length;
}

function groupsOf(failed: readonly PlanPart[]): string {
  const parts = failed.flatMap(({ group, tasks, wrong, lacking }) =>
    group === undefined
      ? []
      : [`${group} (${tasks.length - wrong.length - lacking.length} of ${tasks.length})`],
  );
  return parts.length === 0 ? '' : `; below it: ${parts.slice(0, 10).join(', ')}`;
}

function about(task: PlanTask, what: string | undefined): Remark[] {
  return what === undefined ? [] : [{ task, what }];
}

function finding({ task, what }: Remark, suggestedFix: string): Finding {
  return placed(
    task.at,
    { description: `${taskName(task)} ${what}`, suggestedFix },
    task.title === '' ? task.id : task.title,
  );
}

/** An empty plan fails; files without a plan are skipped. */
export function withoutTasks(
  { artifacts, result }: Artifacts,
  { plans, notChecked }: Plans,
): CriterionResult | undefined {
  const [first] = notChecked;
  const empty = plans.find(({ tasks }) => tasks.length === 0);
  if (empty !== undefined) return emptyPlan(empty);
  if (plans.length > 0) return undefined;
  if (first !== undefined)
    return skipped(`${first.file} was not checked: ${first.reason}`.slice(0, 500));
  const files = Array.isArray(artifacts) ? artifacts : [];
  return files.length === 0 || result !== undefined
    ? emptyPlan({ file: undefined })
    : skipped('no plan was found among the files');
}

export function noteUnchecked(result: CriterionResult, { notChecked }: Plans): CriterionResult {
  if (notChecked.length === 0) return result;
  return {
    ...result,
    details: `${result.details}; not checked: ${notChecked.map(({ file, reason }) => `${file} (${reason})`).join(', ')}`,
  };
}

function names(tasks: readonly PlanTask[]): string {
  return shortList(tasks.map(taskName), 10);
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
