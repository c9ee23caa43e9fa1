import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import { cutAroundSecrets } from '../../../core/redact/secrets.js';
import {
  type DataNode,
  itemsOf,
  memberOf,
  nodeOfValue,
  readJson,
  readYaml,
  textIn,
} from '../data/data-tree.js';
import { parsedOnce } from '../parsed-once.js';
import { sourceLines } from '../source-lines.js';
import { readMarkdown } from '../text/markdown.js';
import {
  epicPlan,
  first,
  groupedPlan,
  type PlaceOf,
  type Plan,
  type PlanDependency,
  type PlanPlace,
  type PlanTask,
  planOf,
} from './plan.js';

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
    const read = await plansIn(artifact);
    if ('reason' in read) notChecked.push({ file: artifact.path, reason: read.reason });
    else plans.push(...read);
  }
  const repeated = plans.some(
    ({ file }) =>
      file !== undefined &&
      isSame(output.result, artifacts.find(({ path }) => path === file)?.content),
  );
  return { plans: repeated ? plans : [...resultPlans(output), ...plans], notChecked };
}

function resultPlans(output: Artifacts): readonly Plan[] {
  const root = nodeOfValue(output.result);
  return memberOf(root, 'epics') === undefined
    ? dataPlans(root, () => undefined)
    : [planOf(output)];
}

function isSame(result: unknown, content: string | undefined): boolean {
  if (typeof result !== 'object' || result === null || content === undefined) return false;
  try {
    return JSON.stringify(JSON.parse(content)) === JSON.stringify(result);
  } catch {
    return false;
  }
}

export function isNamedPlan({ path, type }: Pick<Artifact, 'path' | 'type'>): boolean {
  return type === 'plan' || /(?:^|\/)(?:tasks|plan|roadmap|backlog)\.[a-z]+$/i.test(path);
}

async function plansIn(artifact: Artifact): Promise<readonly Plan[] | { readonly reason: string }> {
  const { path, content } = artifact;
  if (content === undefined) return [];
  if (isTaskList(artifact)) return [taskListPlan(path, content)];
  const isNamed = isNamedPlan(artifact);
  // skips files that cannot be plans, because parsing costs time
  const isLikely =
    isNamed ||
    /["']?\b(?:epics|tasks)\b["']?\s*:/.test(content) ||
    /^\s*(?:\[\s*\{|- (?:id|title):)/.test(content);
  const isData = isLikely && /\.(?:json|ya?ml)$/i.test(path);
  const read = isData ? await readData(path, content) : undefined;
  if (typeof read === 'string') return isNamed ? { reason: read } : [];
  const found = read?.root === undefined ? [] : plansOfFile(path, content, read.root);
  return found.length === 0 && artifact.type === 'plan' ? [taskListPlan(path, '')] : found;
}

interface ParsedData {
  readonly file: string;
  readonly source: string;
  /** @default undefined the file has several documents, or none */
  readonly root?: DataNode | undefined;
}

const readData = parsedOnce<ParsedData>(async (file, source) => {
  if (source.length > longest) return 'it is too large';
  const isJson = /\.json$/i.test(file);
  const trees = isJson ? [await readJson(source)] : await readYaml(source);
  const [tree] = trees;
  if (tree === undefined || trees.length > 1) return { file, source };
  if ('root' in tree) return { file, source, root: tree.root };
  const { message, offset } = tree.error;
  const line = sourceLines(source).lineAt(offset);
  return `it is not valid ${isJson ? 'JSON' : 'YAML'}: ${message}, line ${line}`;
});

function plansOfFile(file: string, content: string, root: DataNode): readonly Plan[] {
  const lines = sourceLines(content);
  const placeOf: PlaceOf = (node) =>
    node === undefined || node.start < 0
      ? undefined
      : { file, line: lines.lineAt(node.start), quote: lines.quoteAt(node.start, node.end) };
  return dataPlans(root, placeOf).map((plan) => ({ ...plan, file }));
}

/** One plan for each group with its own ids, and none for other data. */
function dataPlans(root: DataNode, placeOf: PlaceOf): readonly Plan[] {
  if (memberOf(root, 'epics')?.kind === 'array') return [limited(epicPlan(root, placeOf))];
  const own = tasksIn(root);
  if (own !== undefined) return [limited(groupedPlan({ name: '', tasks: own }, placeOf))];
  const parts = itemsOf(first(root, ['phases', 'milestones', 'sections', 'features', 'stories']));
  if (parts.length > 0) {
    const lists = groupsIn(parts.map((node) => ({ name: '', node })));
    if (lists.length === 0) return [];
    // ids are unique over all phases, but only within a tag
    return [
      limited(groupedPlan({ name: '', tasks: lists.flatMap(({ tasks }) => tasks) }, placeOf)),
    ];
  }
  if (root.kind !== 'object') return [];
  const groups = groupsIn((root.members ?? []).map(({ key, node }) => ({ name: key, node })));
  const used = groups.filter(({ tasks }) => tasks.length > 0);
  return (used.length > 0 ? used : groups.slice(0, 1)).map(({ name, tasks }) =>
    limited(groupedPlan({ name: groups.length > 1 ? name : '', tasks }, placeOf)),
  );
}

interface TaskGroup {
  readonly name: string;
  readonly tasks: readonly DataNode[];
}

function groupsIn(
  found: readonly { readonly name: string; readonly node: DataNode }[],
): readonly TaskGroup[] {
  return found.flatMap(({ name, node }) => {
    const tasks = node.kind === 'object' ? tasksIn(node) : undefined;
    return tasks === undefined ? [] : [{ name, tasks }];
  });
}

function limited(plan: Plan): Plan {
  return plan.tasks.length <= mostTasks ? plan : { ...plan, tasks: plan.tasks.slice(0, mostTasks) };
}

/** `undefined` for tasks of another kind, such as an editor's. */
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

const plain = (
  'title description status dependencies dependsOn depends_on priority acceptanceCriteria ' +
  'acceptance_criteria summary details subtasks'
).split(' ');

const foreign = 'cmd cmds command run script hosts uses image label steps'.split(' ');

function looksLikeTask(node: DataNode): boolean {
  if (foreign.some((key) => memberOf(node, key) !== undefined)) return false;
  const isNamed = textIn(first(node, ['id', 'title', 'name'])) !== '';
  return isNamed && plain.some((key) => memberOf(node, key) !== undefined);
}

const checkbox = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]+(.*)$/;

const numbered = /^(?:\*\*)?((?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*)[.):]?(?:\*\*)?[ \t]+(?=\S)/;

const waiting =
  /\b(?:depends on|blocked by|dependencies:|depends:)[ \t]{0,5}((?:(?:tasks?|and)?[ \t,]*(?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*)+)/gi;

const longestLine = 2000;

/**
 * Returns whether a Markdown text is a list of tasks: because the user says so, by numbered
 * checkboxes, or by the exact name that tools give it. A list of checkboxes without ids is a note,
 * and a file with front matter and without checkboxes is a prompt.
 */
export function isTaskList({ path, type, content = '' }: Artifact): boolean {
  if (type === 'plan') return !/\.(?:json|ya?ml)$/i.test(path);
  if (!/\.(?:md|markdown)$/i.test(path)) return false;
  const boxes = boxesIn(content);
  if (/(?:^|\/)tasks\.(?:md|markdown)$/i.test(path))
    return boxes.length > 0 || !/^\ufeff?---[ \t]*\r?\n/.test(content);
  return boxes.filter(({ body }) => numbered.test(body)).length >= 2;
}

function taskListPlan(file: string, content: string): Plan {
  const tasks = boxesIn(content).map(({ text, indent, body, line }): PlanTask => {
    const id = numbered.exec(body)?.[1] ?? '';
    const shown = checkbox.exec(text)?.[2]?.replace(/<!--.*?(?:-->|$)/g, '') ?? body;
    const title = (id === '' ? shown : shown.replace(numbered, '')).trim();
    const at: PlanPlace = { file, line, quote: cutAroundSecrets(text.trim(), 200) };
    return {
      id,
      key: id,
      title,
      description: '',
      acceptanceCriteria: [],
      dependencies: dependenciesIn(body, at, id),
      complexity: '',
      assignedAgents: [],
      isPart: indent.length > 1,
      at,
    };
  });
  return {
    file,
    features: [],
    tasks,
    silentAbout: new Set(['acceptance criteria', 'complexity', 'assignment']),
  };
}

/** Plain numbers name tasks only if tasks have such numbers. */
function dependenciesIn(body: string, at: PlanPlace, own: string): PlanDependency[] {
  if (own === '') return [];
  const shape =
    own.replaceAll(/\d+/g, '0').split('.').length > 1
      ? /^[\d.]+$/
      : /^[A-Z]/.test(own)
        ? /^[A-Z]+-?\d+$/
        : /^\d+$/;
  return Array.from(body.matchAll(waiting), (match) => match[1] ?? '')
    .flatMap((list) => list.match(/(?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*/g) ?? [])
    .filter((id) => shape.test(id))
    .map((id) => ({ id, keys: [id], at }));
}

interface Box {
  readonly text: string;
  readonly indent: string;
  readonly body: string;
  readonly line: number;
}

function boxesIn(content: string): Box[] {
  const { lines, plain } = readMarkdown(content);
  return lines.flatMap(({ kind, text, start }, index): Box[] => {
    if (kind !== 'list' || text.length > longestLine) return [];
    const shown = checkbox.exec(plain.slice(start, start + text.length));
    return shown === null
      ? []
      : [{ text, indent: shown[1] ?? '', body: shown[2] ?? '', line: index + 1 }];
  });
}
