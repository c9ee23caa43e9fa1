/**
 * What `produce` and `address` write to, when their work is more than the output they return: a folder, a container, a
 * branch. A state that was kept can be brought back.
 */
export interface Workspace {
  /** Keeps the present state, and gives its digest: equal states, equal digests. Resolves when the state will survive. */
  readonly snapshot: () => Promise<string>;
  /** Brings exactly that state back: what was added since goes, what was removed comes back. A state that is already there costs little. */
  readonly restore: (digest: string) => Promise<void>;
  /**
   * Keeps other runs out until it is released, those of other processes too. The engine keeps two runs of one process off the same object in any case.
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
