import { isReviewError, messageOf, type ReviewError } from '../core/errors.js';
import type { Outcome } from '../core/outcome.js';
import { isInMemory } from '../ports/memory-store.js';
import type { Journal, Store } from '../ports/store.js';
import type { Definition } from './definition.js';
import { RunJournal } from './journal.js';
import { portFault, RunEnd } from './run-end.js';
import { failedResult, outcomeOf } from './run-result.js';

/** The run whose journal is opened. */
interface OpenedRun {
  readonly runId: string;
  readonly store: Store;
  /** Whether the caller may continue the run. */
  readonly isKept: boolean;
  /** Whether the run must have records. */
  readonly isKnown?: boolean;
  readonly signal: AbortSignal | undefined;
  readonly release: AbortSignal | undefined;
  /** Called first; it may refuse the run. */
  readonly before?: ((end: RunEnd) => Promise<void>) | undefined;
}

/**
 * Does work while the journal of a run is open. If a port fails, or the run ends early while one does
 * not answer, the outcome says so.
 */
export async function whileOpen<Output>(
  definition: Pick<Definition<never, never>, 'clock' | 'budget' | 'logger'>,
  given: OpenedRun,
  work: (journal: RunJournal, end: RunEnd) => Promise<Outcome<Output>>,
): Promise<Outcome<Output>> {
  const { runId, signal, release, before } = given;
  const end = new RunEnd(definition);
  let unwatch = (): void => {};
  try {
    unwatch = end.watch(runId, signal);
    await before?.(end);
    const found = await opened(given, end);
    const journal = new RunJournal(
      isInMemory(found) ? found : (await import('./bounded-journal.js')).boundedJournal(found, end),
    );
    let unwatchGate: (() => void) | undefined;
    try {
      if (release !== undefined || found.held !== undefined) {
        const { CallGate } = await import('./call-gate.js');
        journal.gate = new CallGate(runId, found, end);
        unwatchGate = journal.gate.watch(release);
      }
      if (journal.resumed)
        journal.past = new (await import('./past-usage.js')).PastUsage(found.records);
      return await work(journal, end);
    } finally {
      unwatchGate?.();
      try {
        await journal.close();
      } catch (error) {
        const why = messageOf(error);
        definition.logger.error({ run: runId, error: why }, 'the journal could not be closed');
      }
    }
  } catch (error) {
    if (await isForCaller(error, end)) throw error;
    const usage = { produce: {}, review: {}, address: {} };
    return outcomeOf<Output>(
      { id: runId, reviews: [], ledger: { usage } },
      failedResult(portFault(error), undefined),
    );
  } finally {
    unwatch();
  }
}

/** Returns whether an error is misuse, a release, or the control flow of a framework around the run. */
async function isForCaller(error: unknown, end: RunEnd): Promise<boolean> {
  if (isReviewError(error)) return error !== end.error || isReleased(error);
  return (await import('./end-of-error.js')).isInterrupt(error);
}

export function isReleased({ code }: ReviewError): boolean {
  return code === 'released';
}

/** Opens the journal. One that opens too late is closed. */
async function opened({ store, runId, isKept, isKnown }: OpenedRun, end: RunEnd): Promise<Journal> {
  const opening = Promise.resolve(
    (isKnown && store.openKnown?.(runId)) || store.open(runId, isKept),
  );
  try {
    return await end.over('opening the journal', opening);
  } catch (error) {
    opening.then(
      (journal) => journal.close(),
      () => {},
    );
    // a store that hangs after the run has ended is not why it ended
    throw isReviewError(error) && error.code === 'timeout' ? (end.error ?? error) : error;
  }
}
