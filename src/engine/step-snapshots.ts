import type { StepResult } from './step-record.js';
import type { WorkspaceSnapshots } from './workspace-snapshots.js';

/** Where a scope that may change the workspace stands. */
export interface StepSnapshotsOptions {
  readonly trees: WorkspaceSnapshots;
  /** The name of the whole work; every other name is a step inside it. */
  readonly whole: string;
  /** The tree that the work starts from. */
  readonly from: string;
}

/**
 * The trees of `produce` or `address` and of the steps in it. A step that is replayed brings back what it left, so that what
 * comes after it finds the workspace as it was.
 */
export class StepSnapshots {
  readonly #options: StepSnapshotsOptions;
  #live = false;
  /** What the workspace held when the whole work was done. */
  tree: string | undefined;

  constructor(options: StepSnapshotsOptions) {
    this.#options = options;
  }

  /** Goes along with a step that is replayed; the tree of the whole work is brought back by who goes on from there. */
  async follow<Value>(name: string, { value, workspace }: StepResult<Value>): Promise<Value> {
    if (workspace === undefined) return value;
    if (name === this.#options.whole) this.tree = workspace;
    else if (!this.#live) await this.#options.trees.open(workspace);
    return value;
  }

  /** Gets the workspace ready for work that is really done. */
  async prepare(name: string): Promise<void> {
    if (name === this.#options.whole) await this.#options.trees.open(this.#options.from);
    else this.#live = true;
  }

  /** Keeps what work left. */
  async keep(name: string): Promise<string> {
    const whole = name === this.#options.whole;
    const tree = await this.#options.trees.save(whole);
    if (whole) this.tree = tree;
    return tree;
  }
}
