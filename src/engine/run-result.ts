import { onAbort } from '../core/abort-signal.js';
import { messageOf, type ReviewError, ReviewLoopError } from '../core/errors.js';
import type { Acceptance, Outcome, OutcomeBase } from '../core/outcome.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import { within } from './timed-call.js';

interface EndedRun {
  readonly id: string;
  readonly reviews: OutcomeBase['reviews'];
  readonly ledger: { readonly usage: OutcomeBase['usage'] };
  readonly changed?: OutcomeBase['changed'];
}

type ResultBase = Pick<OutcomeBase, 'code' | 'reason' | 'decidedBy' | 'error'>;

export interface StoppedResult<Output> extends ResultBase {
  readonly status: Exclude<Outcome<Output>['status'], 'approved' | 'accepted' | 'suspended'>;
  readonly version: Version<Output> | undefined;
}

/** An outcome with the whole version in place of its output. */
export type RunResult<Output> =
  | (ResultBase & { readonly status: 'approved'; readonly version: Version<Output> })
  | (ResultBase & {
      readonly status: 'accepted';
      readonly version: Version<Output>;
      readonly acceptance: Acceptance;
    })
  | (ResultBase & {
      readonly status: 'suspended';
      readonly version: Version<Output> | undefined;
      readonly requests: Extract<Outcome<Output>, { status: 'suspended' }>['requests'];
    })
  | StoppedResult<Output>;

export function outcomeOf<Output>(run: EndedRun, result: RunResult<Output>): Outcome<Output> {
  const base = baseOf(run, result);
  switch (result.status) {
    case 'approved':
      return { ...base, status: 'approved', approved: true, output: result.version.output };
    case 'accepted': {
      const { version, acceptance } = result;
      return { ...base, status: 'accepted', approved: false, output: version.output, acceptance };
    }
    case 'suspended': {
      const { version, requests } = result;
      return { ...base, status: 'suspended', approved: false, output: version?.output, requests };
    }
    default:
      return { ...base, status: result.status, approved: false, output: result.version?.output };
  }
}

function baseOf<Output>(run: EndedRun, result: RunResult<Output>): OutcomeBase {
  const { code, reason, version, decidedBy, error } = result;
  const { produce, review: reviewing, address } = run.ledger.usage;
  const review = run.reviews.findLast((one) => one.version === version?.digest);
  return {
    runId: run.id,
    reason,
    code,
    reviews: run.reviews,
    ...(review !== undefined && { review }),
    usage: { produce, review: reviewing, address },
    ...(version !== undefined && { version: version.digest }),
    ...(version?.tree !== undefined && { workspace: version.tree }),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(error !== undefined && { error }),
    ...(run.changed && { changed: run.changed }),
  };
}

export function failedResult<Output>(
  error: ReviewLoopError,
  version: Version<Output> | undefined,
): StoppedResult<Output> {
  // the advice is that of the library; a face has its own
  return { status: failedStatus(error), code: error.code, reason: error.what, version, error };
}

function failedStatus({ code }: ReviewError): 'timed_out' | 'cancelled' | 'failed' {
  if (code === 'run_timed_out') return 'timed_out';
  return code === 'cancelled' || code === 'released' ? 'cancelled' : 'failed';
}

/** How long a port may take once the run has ended early, in milliseconds. */
const grace = 10_000;

/** How long a port may take for a call that it had when the run ended early, in milliseconds. */
export const lastGrace = 2_000;

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

  /** Returns a function that removes the callback. */
  onEnd(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => void this.#watchers.delete(callback);
  }

  /**
   * Waits for a port until the run ends early.
   *
   * @param ms - How long the port may take after that end.
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
