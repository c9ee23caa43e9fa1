import { onAbort } from '../core/abort-signal.js';
import { ReviewLoopError } from '../core/errors.js';
import type { Journal } from '../ports/store.js';
import { engineErrors } from './errors.js';
import type { RunEnd } from './run-result.js';
import type { LeafWork } from './timed-call.js';

type MakeCall<Value> = (work: LeafWork<Value>) => Promise<Value>;

/** A call that was made and is not recorded yet. */
interface OpenCall {
  readonly name: string;
  hasBegun: boolean;
}

const refused = Symbol('refused');

/**
 * Lets the calls of a run pass: none after the run was released, and none after another writer took
 * the run over. A refused call waits until the run has ended.
 */
export class CallGate {
  readonly #journal: Pick<Journal, 'held'>;
  readonly #end: RunEnd;
  readonly #runId: string;
  readonly #open = new Set<OpenCall>();
  /** The names of calls that wait for the end. */
  readonly #waiting = new Set<string>();
  #isReleased = false;

  constructor(runId: string, journal: Pick<Journal, 'held'>, end: RunEnd) {
    this.#runId = runId;
    this.#journal = journal;
    this.#end = end;
  }

  /** Returns a function that stops watching. */
  watch(release: AbortSignal | undefined): () => void {
    const letGoOf = (): void => {
      this.#isReleased = true;
      this.#endIfQuiet();
    };
    if (release?.aborted) letGoOf();
    return onAbort(release, letGoOf);
  }

  pass<Value>(name: string, work: LeafWork<Value>, make: MakeCall<Value>): Promise<Value> {
    if (this.#isReleased) return this.#wait(name);
    const call: OpenCall = { name, hasBegun: false };
    this.#open.add(call);
    const made = make((leaf) => {
      if (this.#isReleased) throw refused;
      call.hasBegun = true;
      const asked = this.#journal.held?.();
      return asked === undefined ? work(leaf) : this.#ifHeld(asked).then(() => work(leaf));
    });
    const close = (): void => {
      this.#open.delete(call);
      this.#endIfQuiet();
    };
    made.then(close, close);
    return made.catch((error: unknown) => (error === refused ? this.#wait(name) : reject(error)));
  }

  /** Ends the run if the store says that it is another writer's. */
  async #ifHeld(asked: Promise<void>): Promise<void> {
    try {
      await this.#end.over('asking whether the run is still held', asked);
    } catch (error) {
      if (error instanceof ReviewLoopError) this.#end.end(error);
      throw error;
    }
  }

  /** Never resolves; rejects when the run ends. */
  #wait<Value>(name: string): Promise<Value> {
    this.#waiting.add(name);
    this.#endIfQuiet();
    return new Promise((_, fail) => {
      if (this.#end.error !== undefined) fail(this.#end.error);
      else this.#end.onEnd(() => fail(this.#end.error));
    });
  }

  /** Ends a released run as soon as every call that is out is recorded. */
  #endIfQuiet(): void {
    if (!this.#isReleased || [...this.#open].some((call) => this.#isOut(call))) return;
    this.#end.end(released(this.#runId));
  }

  /** Whether a call is at work, and not only waiting for a refused call inside it. */
  #isOut({ name, hasBegun }: OpenCall): boolean {
    return hasBegun && ![...this.#waiting].some((waiting) => waiting.startsWith(`${name}/`));
  }
}

function reject(error: unknown): Promise<never> {
  return Promise.reject(error);
}

function released(runId: string): ReviewLoopError {
  return new ReviewLoopError(
    engineErrors.released,
    `run ${runId} was released: its calls are recorded, and another process can continue it`,
    { value: runId },
  );
}
