import { type Artifact, type Artifacts, artifactsOf } from '../../core/artifact.js';
import { type DataNode, itemsOf, memberOf, nodeOfValue, textIn } from '../data/data-node.js';
import { readJson } from '../data/json-tree.js';
import { readYaml } from '../data/yaml-tree.js';
import { sourceLines } from '../source-lines.js';
import { epicPlan, groupedPlan, type PlaceOf, type Plan, planOf } from './plan.js';
import { isTaskList, taskListPlan } from './task-list.js';

/** The plans of an output, and the unreadable files that look like plans. */
export interface Plans {
  readonly plans: readonly Plan[];
  readonly notChecked: readonly { readonly file: string; readonly reason: string }[];
}

const longest = 20_000_000;
const mostTasks = 200_000;

/**
 * Reads every plan: the result of the output, and its JSON, YAML and Markdown artifacts. It ignores
 * other files, and lists unreadable files with the name of a plan.
 */
export async function plansOf(output: Artifacts): Promise<Plans> {
  const plans: Plan[] = [];
  const notChecked: { file: string; reason: string }[] = [];
  const artifacts = artifactsOf(output);
  for (const artifact of artifacts) {
    const read = await planIn(artifact);
    if (read === undefined) continue;
    if ('reason' in read) notChecked.push({ file: artifact.path, reason: read.reason });
    else plans.push(read);
  }
  const inResult = plans.some(
    ({ file }) =>
      file !== undefined &&
      isSame(output.result, artifacts.find(({ path }) => path === file)?.content),
  )
    ? undefined
    : resultPlan(output);
  return { plans: inResult === undefined ? plans : [inResult, ...plans], notChecked };
}

function resultPlan(output: Artifacts): Plan | undefined {
  const root = nodeOfValue(output.result);
  return memberOf(root, 'epics') === undefined ? dataPlan(root, () => undefined) : planOf(output);
}

/** Returns whether a result repeats the content of a file, which is common. */
function isSame(result: unknown, content: string | undefined): boolean {
  if (typeof result !== 'object' || result === null || content === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(content)) === JSON.stringify(result);
  } catch {
    return false;
  }
}

async function planIn({
  path,
  content,
}: Artifact): Promise<Plan | { readonly reason: string } | undefined> {
  if (content === undefined) return undefined;
  if (isTaskList(path, content)) return taskListPlan(path, content);
  const isNamed = /(?:^|[^a-z])(?:tasks|plan|roadmap|backlog)\.[a-z]+$/i.test(path);
  // skips files that cannot be plans, because parsing costs time
  const isLikely =
    isNamed ||
    /["']?\b(?:epics|tasks)\b["']?\s*:/.test(content) ||
    /^\s*(?:\[\s*\{|- (?:id|title):)/.test(content);
  const read = isLikely ? await dataIn(path, content) : undefined;
  if (read === undefined) return undefined;
  return 'reason' in read ? (isNamed ? read : undefined) : planOfFile(path, content, read);
}

async function dataIn(
  path: string,
  content: string,
): Promise<DataNode | { readonly reason: string } | undefined> {
  const form = /\.json$/i.test(path) ? 'JSON' : /\.ya?ml$/i.test(path) ? 'YAML' : undefined;
  if (form === undefined) return undefined;
  if (content.length > longest) return { reason: 'it is too large' };
  const [tree, ...more] = form === 'JSON' ? [readJson(content)] : await readYaml(content);
  if (tree === undefined || more.length > 0) return undefined;
  return 'error' in tree
    ? {
        reason: `it is not valid ${form}: ${tree.error.message}, line ${sourceLines(content).lineAt(tree.error.offset)}`,
      }
    : tree.root;
}

function planOfFile(file: string, content: string, root: DataNode): Plan | undefined {
  const lines = sourceLines(content);
  const placeOf: PlaceOf = (node) =>
    node === undefined || node.start < 0
      ? undefined
      : { file, line: lines.lineAt(node.start), quote: lines.quoteAt(node.start, node.end) };
  const plan = dataPlan(root, placeOf);
  return plan && { ...plan, file };
}

/** Returns the plan in some data, or `undefined` for other data. */
function dataPlan(root: DataNode, placeOf: PlaceOf): Plan | undefined {
  if (memberOf(root, 'epics')?.kind === 'array') return limited(epicPlan(root, placeOf));
  const own = tasksIn(root);
  if (own !== undefined) return limited(groupedPlan([{ name: '', tasks: own }], placeOf));
  const parts = itemsOf(first(root, ['phases', 'milestones', 'sections', 'features', 'stories']));
  if (parts.length > 0) return groups(parts.map((node) => ({ name: '', node })));
  return root.kind === 'object'
    ? groups((root.members ?? []).map(({ key, node }) => ({ name: key, node })))
    : undefined;

  function groups(
    found: readonly { readonly name: string; readonly node: DataNode }[],
  ): Plan | undefined {
    const lists = found.flatMap(({ name, node }) => {
      const tasks = node.kind === 'object' ? tasksIn(node) : undefined;
      return tasks === undefined ? [] : [{ name, tasks }];
    });
    if (lists.length === 0) return undefined;
    // ids are unique over all phases, but only within a tag
    const isShared = found.every(({ name }) => name === '');
    return limited(
      groupedPlan(
        isShared ? [{ name: '', tasks: lists.flatMap(({ tasks }) => tasks) }] : lists,
        placeOf,
      ),
    );
  }
}

function limited(plan: Plan): Plan {
  return plan.tasks.length <= mostTasks ? plan : { ...plan, tasks: plan.tasks.slice(0, mostTasks) };
}

/**
 * Returns the tasks of a list or of the member `tasks`, or `undefined` for tasks of another kind,
 * such as an editor's.
 */
function tasksIn(node: DataNode): readonly DataNode[] | undefined {
  if (node.kind === 'array')
    return node.items?.length === 0 ? undefined : tasksAmong(itemsOf(node));
  const list = memberOf(node, 'tasks');
  if (list?.kind === 'object') {
    const named = (list.members ?? []).map(({ key, node: task }) => withId(task, key));
    return named.length > 0 && named.every(looksLikeTask) ? named : undefined;
  }
  if (list?.kind !== 'array') return undefined;
  const isOfEditor = itemsOf(list).length === 0 && memberOf(node, 'version') !== undefined;
  return isOfEditor ? undefined : tasksAmong(itemsOf(list));
}

function tasksAmong(items: readonly DataNode[]): readonly DataNode[] | undefined {
  const likely = items.filter((item) => item.kind === 'object' && looksLikeTask(item)).length;
  return items.every(({ kind }) => kind === 'object') && likely * 2 >= items.length
    ? items
    : undefined;
}

function withId(task: DataNode, id: string): DataNode {
  if (memberOf(task, 'id') !== undefined || task.kind !== 'object') return task;
  return {
    ...task,
    members: [
      { key: 'id', node: { kind: 'scalar', value: id, start: task.start, end: task.end } },
      ...(task.members ?? []),
    ],
  };
}

const plain = [
  'title',
  'description',
  'status',
  'dependencies',
  'dependsOn',
  'depends_on',
  'priority',
  'acceptanceCriteria',
  'acceptance_criteria',
  'summary',
  'details',
  'subtasks',
];
const foreign = [
  'cmd',
  'cmds',
  'command',
  'run',
  'script',
  'hosts',
  'uses',
  'image',
  'label',
  'steps',
];

function looksLikeTask(node: DataNode): boolean {
  if (foreign.some((key) => memberOf(node, key) !== undefined)) return false;
  const isNamed = textIn(first(node, ['id', 'title', 'name'])) !== '';
  return isNamed && plain.some((key) => memberOf(node, key) !== undefined);
}

function first(node: DataNode, keys: readonly string[]): DataNode | undefined {
  return keys.map((key) => memberOf(node, key)).find((found) => found !== undefined);
}
