import { type HumanRequest, isAboutWork } from '../core/human.js';
import { invalid } from '../core/options.js';
import type {
  AnswerRecord,
  JournalRecord,
  RequestRecord,
  Store,
  WaitingPage,
  WaitingQuery,
  WaitingRun,
} from './store.js';

/** A run and when it was suspended; the cursor of a page is the last one of the page before. */
export interface SuspendedAt {
  readonly runId: string;
  readonly at: number;
}

/** `undefined` if it waits for nothing. */
export function waitingRun(
  runId: string,
  records: readonly JournalRecord[],
): WaitingRun | undefined {
  let pipeline = '';
  let open: readonly RequestRecord[] = [];
  for (const record of records) {
    if (record.type === 'run') pipeline = record.pipeline;
    if (record.type === 'request') open = [...open, record];
    if (record.type === 'answer') open = open.filter(({ request }) => !isAnswered(request, record));
    // work that runs again may ask something else
    if (record.type === 'end' && record.waits !== undefined) {
      const { waits } = record;
      open = open.filter(({ request }) => waits.includes(request.id));
    }
  }
  // a revision leaves the other questions about its parent behind
  const last = open.at(-1)?.request;
  const questions = open.filter(({ request }) => isWithLast(request, last));
  return questions.length === 0 ? undefined : { runId, pipeline, questions };
}

function isWithLast(request: HumanRequest, last: HumanRequest | undefined): boolean {
  return last !== undefined && isAboutWork(last)
    ? isAboutWork(request)
    : request.digest === last?.digest;
}

/** A decision about what is undecided answers the question about it. */
export function isAnswered(request: HumanRequest, { id, digest, answer }: AnswerRecord): boolean {
  return (
    request.id === id ||
    (answer.kind === 'decide' && request.undecided !== undefined && request.digest === digest)
  );
}

export function cursorOf({ at, runId }: SuspendedAt): string {
  return `${at}:${runId}`;
}

export function checkedQuery({ limit, after }: WaitingQuery): {
  readonly limit: number;
  readonly after: SuspendedAt | undefined;
} {
  if (!Number.isInteger(limit) || limit < 1) throw invalid('limit', 'a whole number from 1', limit);
  if (after === undefined) return { limit, after };
  const [, at = '', runId] = /^(\d+(?:\.\d+)?):(.+)$/s.exec(after) ?? [];
  if (runId === undefined) throw invalid('after', 'the `next` of an earlier page', after);
  return { limit, after: { at: Number(at), runId } };
}

function isAfter(run: SuspendedAt, other: SuspendedAt): boolean {
  return run.at < other.at || (run.at === other.at && run.runId < other.runId);
}

/** Newest first. A store without `waiting` reads every suspended run for it. */
export async function waitingIn(
  store: Pick<Store, 'list' | 'read' | 'waiting'>,
  query: WaitingQuery,
): Promise<WaitingPage> {
  if (store.waiting !== undefined) return store.waiting(query);
  const found = new Map<string, WaitingRun>();
  const suspended: SuspendedAt[] = [];
  for (const { runId } of await store.list({ status: 'suspended' })) {
    const records = (await store.read(runId)) ?? [];
    const waiting = waitingRun(runId, records);
    if (waiting === undefined) continue;
    found.set(runId, waiting);
    suspended.push({ runId, at: records.at(-1)?.at ?? 0 });
  }
  return pageOfWaiting(suspended, query, async (runId) => found.get(runId));
}

/**
 * Newest first. Reads runs until the page is full.
 *
 * @param runs - Every run that may wait.
 */
export async function pageOfWaiting(
  runs: readonly SuspendedAt[],
  query: WaitingQuery,
  read: (runId: string) => Promise<WaitingRun | undefined>,
): Promise<WaitingPage> {
  const { limit, after } = checkedQuery(query);
  const left = runs
    .filter((run) => after === undefined || isAfter(run, after))
    .sort((a, b) => (isAfter(a, b) ? 1 : -1));
  const found: WaitingRun[] = [];
  let last: SuspendedAt | undefined;
  for (const run of left) {
    if (found.length === limit && last !== undefined) return { runs: found, next: cursorOf(last) };
    const waiting = await read(run.runId);
    if (waiting !== undefined) found.push(waiting);
    last = run;
  }
  return { runs: found };
}
