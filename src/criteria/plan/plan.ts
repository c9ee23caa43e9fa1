import type { AgentOutput } from '../../kernel/agent.js';

/** One task of a plan; what is missing or of another type is empty. */
export interface PlanTask {
  /** Numbers are read as texts; '' where there is none. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  readonly dependencies: readonly string[];
  readonly complexity: string;
  readonly assignedAgents: readonly string[];
}

/** One feature of a plan. */
export interface PlanFeature {
  readonly id: string;
  readonly title: string;
  readonly userStory: string;
  readonly tasks: readonly PlanTask[];
}

/** A plan: epics hold features, features hold tasks. */
export interface Plan {
  readonly features: readonly PlanFeature[];
  readonly tasks: readonly PlanTask[];
}

/** Reads the plan in `result.epics[].features[].tasks[]`, whatever is missing in it. */
export function planOf(output: AgentOutput): Plan {
  const features = list(record(output.result)['epics'])
    .flatMap((epic) => list(record(epic)['features']))
    .map(featureOf);
  return { features, tasks: features.flatMap((feature) => feature.tasks) };
}

/** How a task is called in messages. */
export function taskName({ id, title }: PlanTask): string {
  const name = title === '' ? id : id === '' ? title : `${id} ${title}`;
  return name === '' ? 'a task without id and title' : name.slice(0, 200);
}

function featureOf(value: unknown): PlanFeature {
  const feature = record(value);
  return { id: text(feature['id']), title: text(feature['title']), userStory: text(feature['userStory']), tasks: list(feature['tasks']).map(taskOf) };
}

function taskOf(value: unknown): PlanTask {
  const task = record(value);
  return {
    id: text(task['id']),
    title: text(task['title']),
    description: text(task['description']),
    acceptanceCriteria: texts(task['acceptanceCriteria']),
    dependencies: texts(task['dependencies']),
    complexity: text(task['complexity']),
    assignedAgents: texts(task['assignedAgents']),
  };
}

function texts(value: unknown): string[] {
  return list(value)
    .map((entry) => (typeof entry === 'object' && entry !== null ? text(record(entry)['id'] ?? record(entry)['description'] ?? record(entry)['title'] ?? record(entry)['name']) : text(entry)))
    .filter((entry) => entry !== '');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
