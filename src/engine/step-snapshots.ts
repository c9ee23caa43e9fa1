import type { StepResult } from './step-result.js';

/** What the snapshots of steps do with the workspace. */
interface Trees {
  readonly open: (tree: string) => Promise<void>;
  readonly save: (still: boolean) => Promise<string>;
}

/** Options of {@link StepSnapshots}. */
export interface StepSnapshotsOptions {
  readonly trees: Trees;
  /** The name of the whole work; every other name is a step inside it. */
  readonly whole: string;
  /** The tree that the work starts from. */
  readonly from: string;
}

/**
 * The trees of `produce` or `address` and of their steps. A replayed step restores its tree, so
 * that the work after it finds the same workspace.
 */
export class StepSnapshots {
  readonly #options: StepSnapshotsOptions;
  #live = false;
  /** The tree after the whole work. */
  tree: string | undefined;

  constructor(options: StepSnapshotsOptions) {
    this.#options = options;
  }

  /** Follows a replayed step. The caller restores the tree of the whole work. */
  async follow<Value>(name: string, { value, workspace }: StepResult<Value>): Promise<Value> {
    if (workspace === undefined) return value;
    if (name === this.#options.whole) this.tree = workspace;
    else if (!this.#live) await this.#options.trees.open(workspace);
    return value;
  }

  /** Prepares the workspace for work that is not replayed. */
  async prepare(name: string): Promise<void> {
    if (name === this.#options.whole) await this.#options.trees.open(this.#options.from);
    else this.#live = true;
  }

  /** Saves the workspace after work. */
  async keep(name: string): Promise<string> {
    const whole = name === this.#options.whole;
    const tree = await this.#options.trees.save(whole);
    if (whole) this.tree = tree;
    return tree;
  }
}
