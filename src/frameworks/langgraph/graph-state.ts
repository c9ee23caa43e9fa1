import { digestJson } from '../../core/json.js';
import { membersOf } from '../shared/ending.js';
import { plainJson } from '../shared/plain-json.js';

export interface GraphLike {
  /** Runs the graph from an input, or resumes it. */
  invoke(input: never, config?: never): Promise<unknown>;
  /** Returns the state that the checkpointer has of a thread. */
  getState?(config: never, options?: never): Promise<unknown>;
}

/** What the checkpointer of a graph has of a thread. */
export interface GraphState {
  /** The checkpoint; undefined for a thread that is not known. */
  readonly checkpoint: unknown;
  /** The nodes that have not run yet; none if the graph has ended. */
  readonly next: readonly string[];
  readonly values: unknown;
  /** The ids of what the graph asks. */
  readonly asked: readonly unknown[];
  /** The digest of the values at the checkpoint and of the tasks after it, also of one that has begun. */
  readonly digest: string;
}

/** Returns the state of a thread, or an earlier one; undefined for a graph without a checkpointer. */
export async function graphState(
  graph: GraphLike,
  thread: string,
  earlier?: string,
): Promise<GraphState | undefined> {
  const isKept = !('checkpointer' in graph) || Boolean(graph.checkpointer);
  if (!isKept || graph.getState === undefined) return undefined;
  const configurable = { thread_id: thread, ...(earlier && { checkpoint_id: earlier }) };
  // the types of a graph are the user's, so its values pass through untyped
  const given = { configurable } as never;
  const snapshot = membersOf(await graph.getState(given, { subgraphs: true } as never));
  const { values, next, config } = snapshot;
  const checkpoint = membersOf(membersOf(config)['configurable'])['checkpoint_id'];
  const tasks = listOf(snapshot['tasks']).map(membersOf);
  const begun = tasks.map(({ name, state }) => [name, isKnown(membersOf(state)['values'])]);
  return {
    checkpoint,
    next: listOf(next).map(String),
    values,
    asked: tasks.flatMap(({ interrupts }) => listOf(interrupts).map((one) => membersOf(one)['id'])),
    digest: digestJson(plainJson({ checkpoint, values, begun })),
  };
}

function isKnown(values: unknown): boolean {
  return Object.keys(membersOf(values)).length > 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
