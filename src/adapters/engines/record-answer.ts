import { isReviewError, ReviewLoopError } from '../../core/errors.js';
import type { HumanAnswer } from '../../core/human.js';
import { checkKeys, checkWhole } from '../../core/options.js';
import { checkRequest, takeAnswer } from '../../engine/answer-run.js';
import { engineErrors } from '../../engine/errors.js';
import type { RequestReference } from '../../engine/human-answers.js';
import { RunJournal } from '../../engine/journal.js';
import type { AuditSink } from '../../ports/audit-chain.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import type { RunRecord, Store } from '../../ports/store.js';

export interface RecordOptions {
  /** Records the decision first. One that cannot be recorded does not count. @default none */
  readonly audit?: AuditSink | undefined;
  /** Source of time. @default the system clock */
  readonly clock?: Clock | undefined;
  /** How long to wait while a worker has the run open, in milliseconds. @default 10000 */
  readonly patienceMs?: number | undefined;
}

/**
 * Records the answer of a person, without code of the pipeline. The checks are those of
 * `pipeline.answer`. The run goes on when it is driven next.
 *
 * @returns The name of the pipeline that has to go on.
 * @throws ReviewLoopError `run_unknown`, `run_busy`, `request_unknown`, `request_answered`,
 *   `request_stale`, `request_expired`, `answer_not_allowed`, `answer_invalid`, `reason_required`,
 *   `audit_unwritable`
 * @example
 * ```ts
 * await recordAnswer(store, request, { kind: 'approve', by: 'ann' }, { audit: store.audit });
 * ```
 */
export async function recordAnswer(
  store: Store,
  reference: RequestReference,
  answer: HumanAnswer,
  options: RecordOptions = {},
): Promise<{ readonly pipeline: string }> {
  checkRequest(reference);
  const { audit, ...opened } = openedBy(options);
  const { runId } = reference;
  return whileKnown(store, { runId, ...opened }, async (journal, { pipeline }) => {
    const run = { journal, over: (_what: string, work: Promise<unknown>) => work };
    const { clock } = opened;
    await takeAnswer({ audit, clock }, run, { journal, reference, given: answer });
    return { pipeline };
  });
}

export function openedBy(options: RecordOptions): {
  readonly audit: AuditSink | undefined;
  readonly clock: Clock;
  readonly patienceMs: number;
} {
  checkKeys('options', options, ['audit', 'clock', 'patienceMs']);
  const { audit, clock = systemClock, patienceMs = 10_000 } = options;
  checkWhole('patienceMs', patienceMs, 0);
  return { audit, clock, patienceMs };
}

export async function whileKnown<Value>(
  store: Store,
  run: { readonly runId: string; readonly clock: Clock; readonly patienceMs: number },
  work: (journal: RunJournal, header: RunRecord) => Promise<Value>,
): Promise<Value> {
  // opening an unknown run could create it
  if (store.openKnown === undefined && (await store.read(run.runId)) === undefined)
    throw unknownRun(run.runId);
  return withRun(store, { ...run, isKnown: true }, async (journal) => {
    if (journal.header === undefined) throw unknownRun(run.runId);
    return work(journal, journal.header);
  });
}

function unknownRun(runId: string): ReviewLoopError {
  return new ReviewLoopError(engineErrors.run_unknown, `the store has no run ${runId}`);
}

/** The records of a run and its header; refused if the store has none. */
export async function recordedRun(store: Store, runId: string) {
  const records = (await store.read(runId)) ?? [];
  const [header] = records;
  if (header?.type !== 'run') throw unknownRun(runId);
  return { records, header };
}

interface OpenedRun {
  readonly runId: string;
  readonly clock: Clock;
  /** How long to wait while a worker has the run open, in milliseconds. */
  readonly patienceMs: number;
  /** Whether the run must have records. @default false */
  readonly isKnown?: boolean;
}

const pauseMs = 100;

/** Waits for a worker that has the run open. */
export async function withRun<Value>(
  store: Store,
  { runId, clock, patienceMs, isKnown = false }: OpenedRun,
  work: (journal: RunJournal) => Promise<Value>,
): Promise<Value> {
  const latest = clock.now() + patienceMs;
  for (;;) {
    try {
      const opening = (isKnown && store.openKnown?.(runId)) || store.open(runId, true);
      const journal = new RunJournal(await opening);
      try {
        return await work(journal);
      } finally {
        await journal.close();
      }
    } catch (error) {
      const isBusy = isReviewError(error) && error.code === 'run_busy';
      if (!isBusy || clock.now() >= latest) throw error;
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    }
  }
}
