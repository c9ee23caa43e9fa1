import { messageOf, ReviewLoopError } from '../core/errors.js';
import { mutex } from '../core/mutex.js';
import type { Workspace } from '../ports/workspace.js';
import type { Definition } from './definition.js';
import type { RunJournal } from './journal.js';
import { failedResult, type RunResult } from './run-result.js';
import type { StepResult } from './step-result.js';
import { within } from './with-deadline.js';

const startName = 'workspace/start';

/** The run that a workspace serves. */
export interface SnapshotHost {
  readonly id: string;
  readonly ports: Pick<Definition<never, never>, 'clock' | 'timeouts' | 'logger'>;
  readonly journal: RunJournal | undefined;
  readonly throwIfEnded: () => void;
}

/** The states of a run's workspace, by their digests: kept after what may change them, brought back before what builds on them. */
export class WorkspaceSnapshots {
  readonly #workspace: Workspace;
  readonly #run: SnapshotHost;
  /** What the workspace is known to hold; `undefined` once somebody's code may have changed it. */
  #held: string | undefined;
  #start: string | undefined;
  /** One operation at a time, also after one was no longer waited for. */
  readonly #turn = mutex();

  constructor(workspace: Workspace, run: SnapshotHost) {
    this.#workspace = workspace;
    this.#run = run;
  }

  /** The tree from before the run; known once it has begun. */
  get start(): string | undefined {
    return this.#start;
  }

  /**
   * Keeps what the workspace holds, and gives the tree that the run started from.
   *
   * @throws ReviewLoopError `workspace_failed`
   */
  async begin(): Promise<string> {
    const { journal, ports } = this.#run;
    const recorded = journal?.step(startName, '')?.workspace;
    if (recorded === undefined) {
      this.#start = await this.#snapshot();
      await journal?.append({
        type: 'step',
        name: startName,
        input: '',
        value: null,
        workspace: this.#start,
        at: ports.clock.now(),
      });
      return this.#start;
    }
    this.#start = recorded;
    await this.#keepFound();
    return recorded;
  }

  /** Brings a tree back, and expects it to be changed from now on. */
  async open(tree: string): Promise<void> {
    await this.restore(tree);
    this.#held = undefined;
  }

  /** Brings a tree back, unless it is known to be there. */
  async restore(tree: string): Promise<void> {
    this.#run.throwIfEnded();
    await this.#restore(tree);
    this.#run.throwIfEnded();
  }

  /**
   * Keeps the present tree.
   *
   * @param still - Whether nothing changes it from now on until it is opened again.
   */
  async save(still: boolean): Promise<string> {
    this.#run.throwIfEnded();
    const tree = await this.#snapshot();
    if (!still) this.#held = undefined;
    this.#run.throwIfEnded();
    return tree;
  }

  /**
   * Makes sure that the workspace holds a tree, also when the run has ended before its time.
   *
   * @throws ReviewLoopError `workspace_failed`
   */
  async verify(tree: string): Promise<void> {
    await this.#restore(tree);
    const held = await this.#snapshot();
    if (held !== tree)
      throw new ReviewLoopError(
        'workspace_failed',
        `the workspace holds ${held} after ${tree} was brought back: something else changes it`,
      );
  }

  /**
   * Leaves the workspace with the tree of what comes back; where nothing does, with the one from before the run. A result
   * whose tree is not there becomes a failure: an approval of another tree would approve nothing.
   */
  async leave<Output>(ending: RunResult<Output>): Promise<RunResult<Output>> {
    const tree = ending.version === undefined ? this.#start : ending.version.tree;
    if (tree === undefined) return ending;
    try {
      await this.verify(tree);
      return ending;
    } catch (error) {
      const known =
        error instanceof ReviewLoopError
          ? error
          : new ReviewLoopError('workspace_failed', messageOf(error), { cause: error });
      const { id, ports } = this.#run;
      ports.logger.error(
        { run: id, tree, status: ending.status, error: known.what },
        'the workspace does not contain the tree of the returned version',
      );
      return ending.status === 'failed' ? ending : failedResult(known, ending.version);
    }
  }

  /** The snapshots of work that may change the workspace. */
  stepsFrom(tree: string, whole: string): StepSnapshots {
    return new StepSnapshots({ trees: this, whole, from: tree });
  }

  /** Keeps what is found when a run goes on, so that bringing another tree back loses nobody's work. */
  async #keepFound(): Promise<void> {
    const { id, journal, ports } = this.#run;
    try {
      const found = await this.#snapshot();
      if (journal?.hasTree(found)) return;
      await journal?.append({
        type: 'step',
        name: `workspace/found:${found}`,
        input: '',
        value: null,
        workspace: found,
        at: ports.clock.now(),
      });
      ports.logger.warn(
        { run: id, found },
        'the workspace holds a tree that this run has not recorded; it was kept, and can be restored',
      );
    } catch (error) {
      this.#run.throwIfEnded();
      ports.logger.warn(
        { run: id, error: messageOf(error) },
        'what the workspace holds could not be kept; the run brings its own tree back',
      );
    }
  }

  async #snapshot(): Promise<string> {
    this.#held = undefined;
    const tree: unknown = await this.#perform('kept', () => this.#workspace.snapshot());
    if (typeof tree !== 'string' || tree === '')
      throw new ReviewLoopError('workspace_failed', 'the workspace gave no digest for its state', {
        value: tree,
      });
    this.#held = tree;
    return tree;
  }

  async #restore(tree: string): Promise<void> {
    if (this.#held === tree) return;
    this.#held = undefined;
    await this.#perform('brought back', () => this.#workspace.restore(tree));
    this.#held = tree;
  }

  async #perform<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
    const { clock, timeouts } = this.#run.ports;
    try {
      return await within(clock, timeouts.workspaceMs, 'the workspace', this.#turn(work));
    } catch (error) {
      throw new ReviewLoopError(
        'workspace_failed',
        `the state of the workspace could not be ${what}: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }
}

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
