import type { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import type { HumanAnswer, HumanRequest } from '../core/human.js';
import type { Review } from '../core/review.js';
import { tokensOf, type Usage } from '../core/usage.js';
import { elapsedOn } from '../ports/clock.js';
import { Ledger, type Phase } from './budget.js';
import { CallRunner } from './call-runner.js';
import type { Definition } from './definition.js';
import type { RunJournal } from './journal.js';
import type { PendingOverride } from './pending-override.js';
import type { LeafOptions, LeafWork } from './timed-call.js';
import type { WorkspaceSnapshots } from './workspace-snapshots.js';

/** The parts of a definition that do not depend on task and output. */
export type Ports = Pick<
  Definition<unknown, unknown>,
  'limiter' | 'clock' | 'random' | 'logger' | 'events' | 'timeouts' | 'budget' | 'workspace'
>;

/** One task going through one pipeline: what its parts share while it is in this process. */
export class Run {
  readonly id: string;
  readonly nonce: string;
  readonly ports: Ports;
  readonly journal: RunJournal | undefined;
  readonly ledger: Ledger;
  /** The states of its workspace, where it has one. */
  trees: WorkspaceSnapshots | undefined;
  /** Finished reviews, the oldest first; a new list for each round, so that who holds one keeps what it held. */
  reviews: readonly Review[] = [];
  /** Questions of this version that are not answered yet. */
  readonly pending = new Map<string, HumanRequest>();
  /** What a person wants to let through, where this call is about that. */
  override: PendingOverride | undefined;
  /** Whether no step of it can be replayed: its store forgets it, and it cannot be suspended. */
  neverReplays = false;
  iteration = 1;
  lessons = '';
  /** Whether the missing usage was already complained about. */
  warned = false;
  #ended: ReviewLoopError | undefined;
  #controller: AbortController | undefined;
  readonly #calls: CallRunner;
  #iterationEnds = Number.POSITIVE_INFINITY;
  readonly #watchers = new Set<() => void>();

  constructor(
    identity: { readonly id: string; readonly nonce: string },
    ports: Ports,
    journal: RunJournal | undefined,
  ) {
    this.id = identity.id;
    this.nonce = identity.nonce;
    this.ports = ports;
    this.journal = journal;
    this.ledger = new Ledger(ports.budget);
    if (journal !== undefined) journal.onFailure = (error) => this.end(error);
    this.#calls = new CallRunner(ports.limiter, ports.clock);
  }

  /** Aborted when the run ends before its time. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    }
    return this.#controller.signal;
  }

  /** Why the run ended before its time. */
  get ended(): ReviewLoopError | undefined {
    return this.#ended;
  }

  /** @throws The reason why the run has ended before its time. */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** Ends the run before its time: every call that is out is told, and its result is no longer waited for. */
  end(error: ReviewLoopError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#controller?.abort(error);
    this.#calls.end(error);
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Calls back when the run ends before its time; the result calls that off. */
  onEnd(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => void this.#watchers.delete(callback);
  }

  /** Starts the clock of one iteration. */
  startIteration(iteration: number): void {
    this.iteration = iteration;
    this.pending.clear();
    const { reviewMs = Number.POSITIVE_INFINITY, iterationMs = Number.POSITIVE_INFINITY } =
      this.ports.timeouts;
    const now = elapsedOn(this.ports.clock);
    this.#iterationEnds = now + iterationMs;
    this.#calls.endBy(now + Math.min(reviewMs, iterationMs));
  }

  /** The review of an iteration is over: what is left of it is for address. */
  endReview(): void {
    this.#calls.endBy(this.#iterationEnds);
  }

  /** The id of a question: the same for the same place and version, in every process. */
  requestId(name: string, digest: string): string {
    return hashText(`${this.id}\u0000${name}\u0000${digest}`).slice(0, 16);
  }

  /** Returns the answer to a question about a version. Without one, the question becomes pending. */
  answerOrPending(
    name: string,
    version: string,
    request: Pick<HumanRequest, 'question' | 'allowed' | 'gaps'>,
  ): HumanAnswer | undefined {
    const id = this.requestId(name, version);
    const answer = this.answerTo(id);
    if (answer === undefined)
      this.pending.set(id, { ...request, id, runId: this.id, digest: version });
    return answer;
  }

  answerTo(id: string): HumanAnswer | undefined {
    return this.journal?.answers.get(id);
  }

  account(phase: Phase, usage: Usage): void {
    this.ledger.add(phase, usage);
    this.ports.limiter.spend(tokensOf(usage) ?? 0);
  }

  /** Makes one leaf call: in a slot of the limiter, under its timeout, which starts when it has the slot. */
  leaf<Value>(options: LeafOptions, work: LeafWork<Value>): Promise<Value> {
    return this.#calls.make(options, work);
  }

  /** Lets go of everything that would keep the process alive. */
  close(): void {
    this.#calls.close();
  }
}
