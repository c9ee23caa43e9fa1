import { messageOf, ReviewLoopError } from '../core/errors.js';
import { onAbort } from '../core/on-abort.js';
import type { Definition } from './definition.js';
import { within } from './with-deadline.js';

/** How long a port may take once the run has ended early, in milliseconds. */
const grace = 10_000;

/** How long a port may take for a call that it had when the run ended early, in milliseconds. */
export const lastGrace = 2_000;

/** Returns the error of anything that a port threw or passed to a callback. */
export function portFault(thrown: unknown): ReviewLoopError {
  return thrown instanceof ReviewLoopError
    ? thrown
    : new ReviewLoopError('port_failed', `a port threw: ${messageOf(thrown)}`, { cause: thrown });
}

/** The early end of one call of `run`, `answer` or `override`: by its timeout, a signal or an error. */
export class RunEnd {
  readonly #definition: Pick<Definition<never, never>, 'clock' | 'budget'>;
  readonly #watchers = new Set<() => void>();
  #error: ReviewLoopError | undefined;

  constructor(definition: Pick<Definition<never, never>, 'clock' | 'budget'>) {
    this.#definition = definition;
  }

  /** Why the run ended early; undefined otherwise. */
  get error(): ReviewLoopError | undefined {
    return this.#error;
  }

  /**
   * Starts the timeout of the run, and watches the signal of the caller. Returns a function that
   * stops that.
   */
  watch(runId: string, signal: AbortSignal | undefined): () => void {
    const { clock, budget } = this.#definition;
    const { timeoutMs } = budget;
    const cancel = (): void =>
      this.end(
        new ReviewLoopError(
          'cancelled',
          `run ${runId} was cancelled: ${messageOf(signal?.reason)}`,
          { cause: signal?.reason },
        ),
      );
    if (signal?.aborted) cancel();
    const late = (): void =>
      this.end(
        new ReviewLoopError(
          'run_timed_out',
          `run ${runId} timed out (budget.timeoutMs: ${timeoutMs})`,
        ),
      );
    const ignore = onAbort(signal, cancel);
    const stop = timeoutMs === undefined ? () => {} : clock.after(timeoutMs, late);
    return () => {
      ignore();
      stop();
    };
  }

  /** Ends the run, unless it has ended. Ports may pass anything. */
  end(error: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = portFault(error);
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Calls back when the run ends early. Returns a function that removes the callback. */
  onEnd(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => void this.#watchers.delete(callback);
  }

  /**
   * Waits for a port until the run ends early.
   *
   * @param ms - How long the port may take after that end.
   * @throws The error that ended the run, or `timeout`
   */
  over<Value>(what: string, waiting: Promise<Value>, ms: number = grace): Promise<Value> {
    if (this.#error !== undefined)
      return within(this.#definition.clock, ms, what, Promise.resolve(waiting));
    return new Promise((resolve, reject) => {
      const ignore = this.onEnd(() => reject(this.#error));
      Promise.resolve(waiting).then(resolve, reject).finally(ignore);
    });
  }
}
