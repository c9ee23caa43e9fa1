import type { ReviewLoopError } from '../core/errors.js';
import type { EventPlace, ReviewEventName, ReviewEvents } from '../core/event.js';
import type { Asker, HumanRequest } from '../core/human.js';
import type { Review } from '../core/review.js';
import { tokensOf, type Usage } from '../core/usage.js';
import { elapsedOn } from '../ports/clock.js';
import { Ledger, type Phase } from './budget.js';
import { CallRunner } from './call-runner.js';
import type { Definition } from './definition.js';
import type { RunListeners } from './events.js';
import type { PendingDecisions, PendingOverride, RunJournal } from './journal.js';
import type { RunEnd } from './run-result.js';
import type { LeafOptions, LeafSink, LeafWork } from './timed-call.js';
import type { Tracer } from './tracer.js';
import type { WorkspaceSnapshots } from './workspace-snapshots.js';

export interface PendingQuestion extends HumanRequest {
  readonly from: Asker;
}

export type Ports = Pick<
  Definition<unknown, unknown>,
  'limiter' | 'clock' | 'random' | 'logger' | 'events' | 'timeouts' | 'budget' | 'workspace'
>;

export class Run {
  readonly id: string;
  readonly nonce: string;
  readonly ports: Ports;
  readonly journal: RunJournal | undefined;
  readonly ledger: Ledger;
  trees: WorkspaceSnapshots | undefined;
  /**
   * Finished reviews, oldest first. The list is replaced, never mutated: callers may keep a
   * reference.
   */
  reviews: readonly Review[] = Object.freeze([]);
  readonly pending = new Map<string, PendingQuestion>();
  /** The digests of versions about which reviewers asked a person who answered. */
  readonly answered = new Set<string>();
  override: PendingOverride | undefined;
  decisions: PendingDecisions | undefined;
  wasEmpty = false;
  /**
   * Whether no step can ever be replayed: the store forgets steps, and the run cannot be suspended.
   */
  neverReplays = false;
  /** Whether only code of this library sees reviews before the run ends; then freezing them is waste. */
  isPrivate = false;
  iteration = 1;
  lessons = '';
  /** Whether everything so far is replayed from the record of an earlier call. */
  replaying: boolean;
  /** How the pipeline differs from the one that continued the run before. */
  changed: readonly string[] | undefined;
  /** Ends work that can continue only with the answers of people. */
  suspension: ReviewLoopError | undefined;
  /** What `produce` or `address` threw to pause a framework around this run. */
  interrupt: unknown;
  warned = false;
  tracer: Tracer | undefined;
  readonly #end: RunEnd;
  #controller: AbortController | undefined;
  readonly #listeners: RunListeners | undefined;
  readonly #calls: CallRunner;
  #iterationEnds = Number.POSITIVE_INFINITY;

  constructor(
    identity: {
      readonly id: string;
      readonly nonce: string;
      readonly end: RunEnd;
      readonly on?: RunListeners | undefined;
    },
    ports: Ports,
    journal: RunJournal | undefined,
  ) {
    this.id = identity.id;
    this.nonce = identity.nonce;
    this.#end = identity.end;
    this.#listeners = identity.on;
    this.replaying = journal?.resumed === true;
    this.ports = ports;
    this.journal = journal;
    this.ledger = new Ledger(ports.budget);
    for (const [phase, usage] of journal?.past?.others() ?? []) this.ledger.add(phase, usage);
    if (journal !== undefined) journal.onFailure = (error) => this.end(error);
    this.#calls = new CallRunner(ports.limiter, ports.clock, (error) => this.end(error));
    const { error } = this.#end;
    if (error !== undefined) this.#calls.end(error);
    this.#end.onEnd(() => this.#abort());
  }

  hears(name: ReviewEventName): boolean {
    return this.#listeners?.[name] !== undefined || this.ports.events.hears(name);
  }

  /** Tells the listeners of the pipeline and of this run. The run adds where it is. */
  emit<Name extends ReviewEventName>(
    name: Name,
    payload: () => Omit<Parameters<ReviewEvents[Name]>[0], keyof EventPlace> & Partial<EventPlace>,
  ): void {
    if (!this.hears(name)) return;
    this.ports.events.emit(
      name,
      () =>
        ({
          runId: this.id,
          iteration: this.iteration,
          ...(this.replaying && { replayed: true as const }),
          ...payload(),
        }) as Parameters<ReviewEvents[Name]>[0],
      this.#listeners?.[name],
    );
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.ended !== undefined) this.#controller.abort(this.ended);
    }
    return this.#controller.signal;
  }

  /** Freezes what other code sees. */
  shown<Value extends object>(value: Value): Value {
    return this.isPrivate ? value : Object.freeze(value);
  }

  get ended(): ReviewLoopError | undefined {
    return this.#end.error;
  }

  throwIfEnded(): void {
    if (this.ended !== undefined) throw this.ended;
  }

  /** Ends the run early: aborts every running call and ignores its result. */
  end(error: unknown): void {
    this.#end.end(error);
  }

  #abort(): void {
    const { error } = this.#end;
    if (error === undefined) return;
    this.#controller?.abort(error);
    this.#calls.end(error);
  }

  /** Returns a function that removes the callback. */
  onEnd(callback: () => void): () => void {
    return this.#end.onEnd(callback);
  }

  over<Value>(what: string, waiting: Promise<Value>, ms?: number): Promise<Value> {
    return this.#end.over(what, waiting, ms);
  }

  startIteration(iteration: number): void {
    this.iteration = iteration;
    this.pending.clear();
    const { reviewMs = Number.POSITIVE_INFINITY, iterationMs = Number.POSITIVE_INFINITY } =
      this.ports.timeouts;
    const now = elapsedOn(this.ports.clock);
    this.#iterationEnds = now + iterationMs;
    this.#calls.endBy(now + Math.min(reviewMs, iterationMs));
  }

  /** Ends the review timeout; the rest of the iteration timeout is for `address`. */
  endReview(): void {
    this.#calls.endBy(this.#iterationEnds);
  }

  account(phase: Phase, usage: Usage): void {
    this.ledger.add(phase, usage);
    this.ports.limiter.spend(tokensOf(usage) ?? 0);
  }

  throwIfPassed(): void {
    this.ledger.throwIfPassed(this.journal?.past?.left);
  }

  /** Counts what earlier processes used for steps that this process did not come to. */
  countRest(): void {
    for (const [phase, usage] of this.journal?.past?.takeRest() ?? [])
      this.ledger.add(phase, usage);
  }

  /** The timeout starts when the call has its slot. */
  leaf<Value>(options: LeafOptions, work: LeafWork<Value>): Promise<Value> {
    return this.#calls.make(options, work);
  }

  tell<Value>(options: LeafOptions & LeafSink<Value>, work: LeafWork<Value>): void {
    this.#calls.tell(options, work);
  }

  /**
   * Whether nothing but its result can be observed of a check: no step is replayed or recorded, and
   * nobody follows or stops single calls.
   */
  get isBare(): boolean {
    return (
      this.neverReplays &&
      this.tracer === undefined &&
      this.trees === undefined &&
      this.journal?.gate === undefined
    );
  }

  /** Cancels the timers, which would keep the process alive. */
  close(): void {
    this.#calls.close();
  }
}
