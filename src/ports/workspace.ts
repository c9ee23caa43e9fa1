/**
 * A place that `produce` and `address` write to besides the output: a folder, a container, a
 * branch. A saved state can be restored.
 */
export interface Workspace {
  /**
   * Saves the current state and returns its digest. Equal states have equal digests. Resolves when
   * the state is durable.
   */
  readonly snapshot: () => Promise<string>;
  /**
   * Restores exactly that state: files added since are removed, removed files return. Restoring the
   * current state is cheap.
   */
  readonly restore: (digest: string) => Promise<void>;
  /**
   * Locks the workspace against other processes until it is released. Within a process, the engine
   * never runs two runs on the same object.
   *
   * @throws ReviewLoopError `workspace_busy`
   */
  readonly claim?: (() => Promise<WorkspaceClaim>) | undefined;
}

/** The right to change a workspace. */
export interface WorkspaceClaim {
  /** Releases the workspace. */
  readonly release: () => Promise<void>;
}
