import { messageOf, ReviewLoopError } from '../core/errors.js';
import { mutex } from '../core/mutex.js';
import type { Workspace } from '../ports/workspace.js';
import type { Definition } from './definition.js';
import type { RunJournal } from './journal.js';
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
