import type { Artifacts } from '../../../core/artifact.js';
import type { Finding } from '../../../core/criterion.js';
import { type DataNode, itemsOf, memberOf, nodeOfValue, textIn } from '../data/data-tree.js';

export interface PlanPlace {
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  readonly quote: string;
}

/** `undefined` for a plan without a file. */
export type PlaceOf = (node: DataNode | undefined) => PlanPlace | undefined;

export interface PlanDependency {
  readonly id: string;
  readonly keys: readonly string[];
  readonly at?: PlanPlace | undefined;
}

export interface PlanTask {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  readonly dependencies: readonly PlanDependency[];
  readonly complexity: string;
  readonly assignedAgents: readonly string[];
  /** Whether the task is part of another task. Then only its dependencies count. */
  readonly isPart: boolean;
  readonly at?: PlanPlace | undefined;
}

export interface PlanFeature {
  readonly id: string;
  readonly title: string;
  readonly userStory: string;
}

export type PlanAspect = 'acceptance criteria' | 'complexity' | 'assignment';

export interface Plan {
  readonly file?: string | undefined;
  /** The name of the group of tasks, or `undefined` for a plan without groups. */
  readonly group?: string | undefined;
  readonly features: readonly PlanFeature[];
  readonly tasks: readonly PlanTask[];
  /**
   * The aspects that the form of the plan lacks, or that it does not require and no task mentions.
   */
  readonly silentAbout: ReadonlySet<PlanAspect>;
}

/** Returns the plan in `result.epics[].features[].tasks[]`, even if parts are missing. */
export function planOf(output: Artifacts): Plan {
  return epicPlan(nodeOfValue(output.result), nowhere);
}

export function epicPlan(root: DataNode, placeOf: PlaceOf): Plan {
  const features = itemsOf(memberOf(root, 'epics')).flatMap((epic) =>
    itemsOf(memberOf(epic, 'features')),
  );
  return {
    features: features.map((feature) => ({
      id: textIn(memberOf(feature, 'id')),
      title: textIn(memberOf(feature, 'title')),
      userStory: textIn(memberOf(feature, 'userStory')),
    })),
    tasks: features.flatMap((feature) =>
      itemsOf(memberOf(feature, 'tasks')).flatMap((task) => tasksOf(task, { placeOf, scope: '' })),
    ),
    silentAbout: new Set(),
  };
}

export function groupedPlan(
  { name, tasks: listed }: { readonly name: string; readonly tasks: readonly DataNode[] },
  placeOf: PlaceOf,
): Plan {
  const tasks = listed.flatMap((task) => tasksOf(task, { placeOf, scope: name }));
  const whole = tasks.filter(({ isPart }) => !isPart);
  const silentAbout = new Set<PlanAspect>();
  if (whole.every(({ complexity }) => complexity === '')) silentAbout.add('complexity');
  if (whole.every(({ assignedAgents }) => assignedAgents.length === 0))
    silentAbout.add('assignment');
  return { ...(name !== '' && { group: name }), features: [], tasks, silentAbout };
}

export function taskName({ id, title }: Pick<PlanTask, 'id' | 'title'>): string {
  const name = title === '' ? id : id === '' ? title : `${id} ${title}`;
  return name === '' ? 'a task without id and title' : name.slice(0, 200);
}

function taskKey(scope: string, id: string): string {
  return scope === '' ? id : `${scope}/${id}`;
}

const nowhere: PlaceOf = () => undefined;

/** The names of a member of a task, of which the first that is there counts. */
const names = {
  title: 'title name summary'.split(' '),
  description: 'description details desc'.split(' '),
  acceptance: (
    'acceptanceCriteria acceptance_criteria acceptance doneWhen done_when definitionOfDone ' +
    'definition_of_done testStrategy test_strategy'
  ).split(' '),
  dependencies: 'dependencies dependsOn depends_on depends blockedBy blocked_by needs'.split(' '),
  complexity:
    'complexity complexityScore complexity_score size storyPoints story_points points'.split(' '),
  assignment: (
    'assignedAgents assigned_agents assignedTo assigned_to assignees assignee owners owner ' +
    'agents agent'
  ).split(' '),
  parts: 'subtasks sub_tasks children'.split(' '),
};

interface Surroundings {
  readonly placeOf: PlaceOf;
  readonly scope: string;
  readonly parent?: string | undefined;
}

function tasksOf(node: DataNode, { placeOf, scope, parent }: Surroundings): PlanTask[] {
  const id = textIn(memberOf(node, 'id'));
  // a subtask has a number within its task, or its own id
  const local = parent !== undefined && /^\d+$/.test(id) ? `${parent}.${id}` : id;
  const title = first(node, names.title);
  const waits = allOf(node, names.dependencies).map(
    ({ text, node: found }): PlanDependency => ({
      id: text,
      at: placeOf(found),
      keys: keysOf(text, scope, parent),
    }),
  );
  const task: PlanTask = {
    id: local,
    key: local === '' ? '' : taskKey(scope, local),
    title: textIn(title),
    description: textIn(first(node, names.description)),
    acceptanceCriteria: allOf(node, names.acceptance).map(({ text }) => text),
    dependencies: waits,
    complexity: textIn(first(node, names.complexity)),
    assignedAgents: allOf(node, names.assignment).map(({ text }) => text),
    isPart: parent !== undefined,
    at: placeOf(title ?? memberOf(node, 'id') ?? node),
  };
  const parts = parent === undefined ? itemsOf(first(node, names.parts)) : [];
  return [task, ...parts.flatMap((part) => tasksOf(part, { placeOf, scope, parent: id }))];
}

function keysOf(id: string, scope: string, parent: string | undefined): string[] {
  const own = taskKey(scope, id);
  return parent !== undefined && !id.includes('.')
    ? [taskKey(scope, `${parent}.${id}`), own]
    : [own];
}

export function first(node: DataNode, keys: readonly string[]): DataNode | undefined {
  for (const key of keys) {
    const found = memberOf(node, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function allOf(
  node: DataNode,
  keys: readonly string[],
): { readonly text: string; readonly node: DataNode }[] {
  const found = first(node, keys);
  if (found === undefined) return [];
  const entries = found.kind === 'array' ? itemsOf(found) : [found];
  return entries
    .map((entry) => ({
      text:
        entry.kind === 'object'
          ? textIn(first(entry, ['id', 'description', 'title', 'name']))
          : textIn(entry),
      node: entry,
    }))
    .filter(({ text }) => text !== '');
}

export function placed(
  at: PlanPlace | undefined,
  about: Pick<Finding, 'description' | 'suggestedFix' | 'severity'>,
  quote: string,
): Finding {
  const evidence = at?.quote ?? quote;
  return {
    ...about,
    ...(at !== undefined && { file: at.file, line: at.line }),
    ...(evidence !== '' && { evidence }),
  };
}
