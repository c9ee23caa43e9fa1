/**
 * What `produce` and `address` write to, when their work is more than the output they return: a folder, a container, a
 * branch. A saved state can be restored.
 */
export interface Workspace {
  /** Keeps the present state, and gives its digest: equal states, equal digests. Resolves when the state will survive. */
  readonly snapshot: () => Promise<string>;
  /** Brings exactly that state back: what was added since goes, what was removed comes back. A state that is already there costs little. */
  readonly restore: (digest: string) => Promise<void>;
  /**
   * Locks the workspace until it is released, for other processes too. The engine never runs two runs of one process on the same object.
   *
   * @throws ReviewLoopError `workspace_busy`
   */
  readonly claim?: (() => Promise<WorkspaceClaim>) | undefined;
}

/** The right to change a workspace. */
export interface WorkspaceClaim {
  /** Lets the next one in. */
  readonly release: () => Promise<void>;
}
