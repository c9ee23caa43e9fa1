import { messageOf } from '../core/errors.js';
import type { Outcome } from '../core/outcome.js';
import { isInMemory } from '../ports/memory-store.js';
import type { Journal, Store } from '../ports/store.js';
import type { Definition } from './definition.js';
import { RunJournal } from './journal.js';
import { RunEnd } from './run-end.js';
import { failedResult, outcomeOf } from './run-result.js';

/** The run whose journal is opened. */
interface OpenedRun {
  readonly runId: string;
  readonly store: Store;
  /** Whether the caller may continue the run. */
  readonly isKept: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called first; it may refuse the run. */
  readonly before?: ((end: RunEnd) => Promise<void>) | undefined;
}

/**
 * Does work while the journal of a run is open. If the run ends early while a port does not answer,
 * the outcome says so.
 */
export async function whileOpen<Output>(
  definition: Pick<Definition<never, never>, 'clock' | 'budget' | 'logger'>,
  { runId, store, isKept, signal, before }: OpenedRun,
  work: (journal: RunJournal, end: RunEnd) => Promise<Outcome<Output>>,
): Promise<Outcome<Output>> {
  const end = new RunEnd(definition);
  end.watch(runId, signal);
  try {
    await before?.(end);
    const found = await opened(store, runId, isKept, end);
    const journal = new RunJournal(
      isInMemory(found) ? found : (await import('./bounded-journal.js')).boundedJournal(found, end),
    );
    try {
      if (journal.resumed)
        journal.past = new (await import('./past-usage.js')).PastUsage(found.records);
      return await work(journal, end);
    } finally {
      try {
        await journal.close();
      } catch (error) {
        const why = messageOf(error);
        definition.logger.error({ run: runId, error: why }, 'the journal could not be closed');
      }
    }
  } catch (error) {
    if (end.error === undefined || error !== end.error) throw error;
    const usage = { produce: {}, review: {}, address: {} };
    return outcomeOf<Output>(
      { id: runId, reviews: [], ledger: { usage } },
      failedResult(end.error, undefined),
    );
  } finally {
    end.unwatch();
  }
}

/** Opens the journal. One that opens too late is closed. */
async function opened(store: Store, runId: string, isKept: boolean, end: RunEnd): Promise<Journal> {
  const opening = Promise.resolve(store.open(runId, isKept));
  try {
    return await end.over('opening the journal', opening);
  } catch (error) {
    opening.then(
      (journal) => journal.close(),
      () => {},
    );
    throw error;
  }
}
