import { isReviewError, messageOf, type ReviewError } from '../core/errors.js';
import type { Outcome } from '../core/outcome.js';
import type { Logger } from '../ports/logger.js';
import { isInMemory } from '../ports/memory-store.js';
import type { Journal, Store } from '../ports/store.js';
import type { Definition } from './definition.js';
import { RunJournal } from './journal.js';
import { failedResult, outcomeOf, portFault, RunEnd } from './run-result.js';
import { isThenable } from './timed-call.js';

interface OpenedRun {
  readonly runId: string;
  readonly store: Store;
  /** Whether the caller may continue the run. */
  readonly isKept: boolean;
  readonly isKnown?: boolean;
  readonly signal: AbortSignal | undefined;
  readonly release: AbortSignal | undefined;
  /** Called first; it may refuse the run. */
  readonly before?: ((end: RunEnd) => Promise<void>) | undefined;
}

/** If a port fails, or the run ends early while one does not answer, the outcome says so. */
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
    if (before !== undefined) await before(end);
    const opening = opened(given, end);
    const found = opening instanceof Promise ? await opening : opening;
    const journal = new RunJournal(
      isInMemory(found) ? found : (await loadBounds()).boundedJournal(found, end),
    );
    let unwatchGate: (() => void) | undefined;
    try {
      if (release !== undefined || found.held !== undefined) {
        const { CallGate } = await import('./call-gate.js');
        journal.gate = new CallGate(runId, found, end);
        unwatchGate = journal.gate.watch(release);
      }
      if (journal.resumed)
        journal.past = new (await import('./recorded-usage.js')).PastUsage(found.records);
      return await work(journal, end);
    } finally {
      unwatchGate?.();
      const closing = closed(journal, runId, definition.logger);
      if (closing !== undefined) await closing;
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

function closed(journal: RunJournal, run: string, logger: Logger): Promise<void> | void {
  const complain = (error: unknown): void =>
    logger.error({ run, error: messageOf(error) }, 'the journal could not be closed');
  try {
    return journal.close()?.catch(complain);
  } catch (error) {
    complain(error);
  }
}

/** Misuse, a release, or the control flow of a framework around the run. */
async function isForCaller(error: unknown, end: RunEnd): Promise<boolean> {
  if (isReviewError(error)) return error !== end.error || isReleased(error);
  return (await import('./end-of-error.js')).isInterrupt(error);
}

export function isReleased({ code }: ReviewError): boolean {
  return code === 'released';
}

/** Loaded for stores that do not answer at once. */
function loadBounds(): Promise<typeof import('./bounded-journal.js')> {
  return import('./bounded-journal.js');
}

function opened(
  { store, runId, isKept, isKnown }: OpenedRun,
  end: RunEnd,
): Promise<Journal> | Journal {
  const opening = (isKnown && store.openKnown?.(runId)) || store.open(runId, isKept);
  if (!isThenable(opening) && end.error === undefined) return opening;
  const open = Promise.resolve(opening);
  // it may fail while the rest is loaded
  open.catch(() => {});
  return loadBounds().then((bounds) => bounds.openedInTime(open, end));
}
