import { importSingletons } from './peer.js';

/** What a graph inside of another one keeps of it. */
export interface OuterGraph {
  /** Callbacks of the outer graph, such as tracers. */
  readonly callbacks: readonly unknown[];
}

/**
 * Calls a graph as if it were not called inside of another one. Inside, its interrupts would be
 * thrown through the pipeline, and the outer graph would replay them by their position.
 */
export async function withoutGraph<Value>(
  call: (outer: OuterGraph) => Promise<Value>,
): Promise<Value> {
  const { AsyncLocalStorageProviderSingleton: graphs } = await importSingletons();
  const callbacks = handlersOf(graphs.getRunnableConfig()?.callbacks);
  return graphs.runWithConfig(undefined, () => call({ callbacks }), true);
}

/** Returns handlers, from a list or from a manager of them. */
function handlersOf(callbacks: unknown): readonly unknown[] {
  if (Array.isArray(callbacks)) return callbacks;
  const isManager = typeof callbacks === 'object' && callbacks !== null && 'handlers' in callbacks;
  return isManager && Array.isArray(callbacks.handlers) ? callbacks.handlers : [];
}
