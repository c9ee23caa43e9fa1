import { messageOf, ReviewLoopError } from '../core/errors.js';
import { mutex } from '../core/mutex.js';
import type { Usage } from '../core/usage.js';
import type { Version } from '../core/version.js';
import { portErrors } from '../ports/errors.js';
import type { Workspace } from '../ports/workspace.js';
import type { Definition } from './definition.js';
import { type RunJournal, startName } from './journal.js';
import { failedResult, lastGrace, type RunResult } from './run-result.js';
import { within } from './timed-call.js';

export interface SnapshotHost {
  readonly id: string;
  readonly ports: Pick<Definition<never, never>, 'clock' | 'timeouts' | 'logger'>;
  readonly journal: RunJournal | undefined;
  readonly ended: ReviewLoopError | undefined;
  readonly throwIfEnded: () => void;
  readonly over: <Value>(what: string, waiting: Promise<Value>, ms?: number) => Promise<Value>;
}

/**
 * Saves the workspace after work that may change it, and restores it before work that depends on
 * it. A tree is the digest of a saved state.
 */
export class WorkspaceSnapshots {
  readonly #workspace: Workspace;
  readonly #run: SnapshotHost;
  /** The current tree; undefined if foreign code may have changed it. */
  #held: string | undefined;
  #start: string | undefined;
  /** One operation at a time, even after a timeout. */
  readonly #turn = mutex();
  #busy = 0;

  constructor(workspace: Workspace, run: SnapshotHost) {
    this.#workspace = workspace;
    this.#run = run;
  }

  /** The tree before the run; undefined until `begin`. */
  get start(): string | undefined {
    return this.#start;
  }

  async begin(): Promise<string> {
    const { journal, ports } = this.#run;
    const recorded = journal?.startTree;
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

  /** Restores a tree, and expects changes from now on. */
  async open(tree: string): Promise<void> {
    await this.restore(tree);
    this.#held = undefined;
  }

  /** Does nothing if the workspace is known to have the tree. */
  async restore(tree: string): Promise<void> {
    this.#run.throwIfEnded();
    await this.#restore(tree);
    this.#run.throwIfEnded();
  }

  /** @param still - Whether nothing changes the state until the next `open`. */
  async save(still: boolean): Promise<string> {
    this.#run.throwIfEnded();
    const tree = await this.#snapshot();
    if (!still) this.#held = undefined;
    this.#run.throwIfEnded();
    return tree;
  }

  /** Makes sure that the workspace contains a tree, even if the run has ended early. */
  async verify(tree: string): Promise<void> {
    await this.#restore(tree);
    const held = await this.#snapshot();
    if (held !== tree)
      throw new ReviewLoopError(
        portErrors.workspace_failed,
        `the workspace contains ${held} after ${tree} was restored: something else changes it`,
      );
  }

  /**
   * Leaves the tree of the returned version in the workspace; without a version, the tree before
   * the run. If that fails, the result becomes a failure: the approved tree is not there.
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
          : new ReviewLoopError(portErrors.workspace_failed, messageOf(error), { cause: error });
      const { id, ports } = this.#run;
      ports.logger.error(
        { run: id, tree, status: ending.status, error: known.what },
        'the workspace does not contain the tree of the returned version',
      );
      return isEndedEarly(ending) ? ending : failedResult(known, ending.version);
    }
  }

  /**
   * Asks reviewers in the tree of a version. They may change it, so it is saved for the first that
   * propose the next version.
   */
  async reviewed<Reply extends { readonly proposal: unknown }>(
    version: Version<unknown>,
    ask: () => Promise<Reply[] | undefined>,
    proposed: { tree?: string },
  ): Promise<Reply[] | undefined> {
    if (version.tree !== undefined) await this.open(version.tree);
    const replies = await ask();
    this.#run.throwIfEnded();
    if (replies?.some(({ proposal }) => proposal !== undefined))
      proposed.tree ??= await this.#ofProposals(version);
    return replies;
  }

  async #ofProposals({ iteration, digest }: Version<unknown>): Promise<string> {
    const { journal, ports } = this.#run;
    const name = `iter:${iteration}/proposal`;
    const recorded = journal?.step(name, digest)?.workspace;
    if (recorded !== undefined) return recorded;
    const workspace = await this.save(false);
    const at = ports.clock.now();
    await journal?.append({ type: 'step', name, input: digest, value: null, workspace, at });
    return workspace;
  }

  stepsFrom(tree: string, whole: string): StepSnapshots {
    return new StepSnapshots({ trees: this, whole, from: tree });
  }

  /** Saves the state that a continued run finds, so that restoring a tree loses nobody's work. */
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
        'the workspace contains a tree that this run did not record; it was saved and can be restored',
      );
    } catch (error) {
      this.#run.throwIfEnded();
      ports.logger.warn(
        { run: id, error: messageOf(error) },
        'the workspace could not be saved; the run restores its own tree',
      );
    }
  }

  async #snapshot(): Promise<string> {
    this.#held = undefined;
    const tree: unknown = await this.#perform('saved', () => this.#workspace.snapshot());
    if (typeof tree !== 'string' || tree === '')
      throw new ReviewLoopError(
        portErrors.workspace_failed,
        'the workspace returned no digest of its state',
        {
          value: tree,
        },
      );
    this.#held = tree;
    return tree;
  }

  async #restore(tree: string): Promise<void> {
    if (this.#held === tree) return;
    this.#held = undefined;
    await this.#perform('restored', () => this.#workspace.restore(tree));
    this.#held = tree;
  }

  async #perform<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
    const { ports, ended } = this.#run;
    const { clock, timeouts } = ports;
    try {
      if (this.#busy > 0 && ended !== undefined) await this.#run.over(what, this.idle(), lastGrace);
      this.#busy += 1;
      const working = this.#turn(work).finally(() => {
        this.#busy -= 1;
      });
      return await this.#run.over(
        what,
        within(clock, timeouts.workspaceMs, 'the workspace', working),
      );
    } catch (error) {
      if (error === this.#run.ended) throw error;
      throw new ReviewLoopError(
        portErrors.workspace_failed,
        `the state of the workspace could not be ${what}: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }

  /** Whether an operation is open, such as one that does not answer. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** Resolves when no operation is open, even if that takes longer than the run. */
  async idle(): Promise<void> {
    await this.#turn(async () => {});
  }
}

function isEndedEarly({ status }: RunResult<unknown>): boolean {
  return status === 'failed' || status === 'timed_out' || status === 'cancelled';
}

interface Trees {
  readonly open: (tree: string) => Promise<void>;
  readonly save: (still: boolean) => Promise<string>;
}

export interface StepSnapshotsOptions {
  readonly trees: Trees;
  /** The name of the whole work; every other name is a step inside it. */
  readonly whole: string;
  readonly from: string;
}

/**
 * The trees of `produce` or `address` and of their steps. A replayed step restores its tree, so
 * that the work after it finds the same workspace.
 */
export class StepSnapshots {
  readonly #options: StepSnapshotsOptions;
  #live = false;
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

  async keep(name: string): Promise<string> {
    const whole = name === this.#options.whole;
    const tree = await this.#options.trees.save(whole);
    if (whole) this.tree = tree;
    return tree;
  }
}

export interface StepResult<Value> {
  readonly value: Value;
  readonly usage: Usage | undefined;
  /** The workspace tree after the step, if the step may change it. */
  readonly workspace?: string | undefined;
}
