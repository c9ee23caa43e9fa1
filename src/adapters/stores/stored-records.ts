import { hash } from 'node:crypto';
import * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { firstBytes } from '../../core/text/truncate.js';
import { systemReason } from '../../node/files.js';
import { portErrors } from '../../ports/errors.js';
import { type JournalRecord, JournalRecordSchema, type RunSummary } from '../../ports/store.js';
import { storeErrors } from './errors.js';

const RowSchema = z.object({ n: z.number(), body: z.string(), sum: z.string() });

export function recordsOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  runId: string,
  database: string,
): readonly JournalRecord[] {
  return rows.map((given, due) => {
    const { n, record } = checkedRow(given, runId, database);
    if (n === due) return record;
    throw corrupt(`${database}, run ${runId}, record ${due}`, `found record ${n} in its place`);
  });
}

/** Only a page contains what is known beside the status. */
export function summaryOf(
  row: Readonly<Record<string, unknown>>,
  limit: number | undefined,
): RunSummary {
  const { run_id: runId, status, pipeline, code, started_at: startedAt, cursor } = row;
  const short = { runId: String(runId), status: String(status) };
  if (limit === undefined) return short;
  return {
    ...short,
    ...(typeof pipeline === 'string' && { pipeline }),
    ...(typeof code === 'string' && { code }),
    ...(typeof startedAt === 'number' && { startedAt }),
    cursor: String(cursor),
  };
}

export function checkedRow(
  given: Readonly<Record<string, unknown>>,
  runId: string,
  database: string,
): { readonly n: number; readonly record: JournalRecord } {
  const place = `${database}, run ${runId}, record ${String(given['n'])}`;
  const row = RowSchema.safeParse(given).data;
  if (row === undefined) throw corrupt(place, 'the row is malformed');
  if (row.sum !== checksum(runId, row.n, row.body))
    throw corrupt(place, 'its checksum does not match its content');
  try {
    return { n: row.n, record: checkedRecord(JSON.parse(row.body), place) };
  } catch (error) {
    throw isReviewError(error) ? error : corrupt(place, messageOf(error), error);
  }
}

/** @param value - The value of the error. */
export function checkedRecord(record: unknown, place: string, value = place): JournalRecord {
  const { data, error } = JournalRecordSchema.safeParse(record);
  if (data !== undefined) return data;
  const what = newerThanKnown(record);
  if (what !== undefined) throw newer(place, what, value);
  throw corrupt(place, `it is not valid: ${firstBytes(messageOf(error), 1000)}`, error, value);
}

export function checksum(runId: string, n: number, body: string): string {
  return hash('sha256', `${runId}\n${n}\n${body}`).slice(0, 16);
}

export function corrupt(
  place: string,
  why: string,
  cause?: unknown,
  value = place,
): ReviewLoopError {
  return new ReviewLoopError(portErrors.journal_corrupt, `${place}: ${why}`, { cause, value });
}

export function newer(place: string, what: string, value = place): ReviewLoopError {
  return new ReviewLoopError(
    portErrors.journal_newer,
    `${place}: it contains ${what}, which this version does not know`,
    { value },
  );
}

export function recordText(record: JournalRecord, runId: string): string {
  const body = JSON.stringify(record);
  checkReadable(JSON.parse(body), record, `run ${runId}`);
  return body;
}

/**
 * Refuses a record that could not be read back: it would make the run unreadable.
 *
 * @param stored - The record as it is read back.
 */
export function checkReadable(stored: unknown, record: JournalRecord, place: string): void {
  const { error } = JournalRecordSchema.safeParse(stored);
  if (error === undefined) return;
  throw new ReviewLoopError(
    'journal_write_failed',
    `cannot write ${place}: invalid record: ${z.prettifyError(error)}`,
    { cause: error, value: record },
  );
}

export function writeFailed(place: string, cause: unknown): ReviewLoopError {
  const why = `cannot write ${place}: ${systemReason(cause)}`;
  return new ReviewLoopError('journal_write_failed', why, { cause });
}

export function journalClosed(place: string): ReviewLoopError {
  return new ReviewLoopError(
    'journal_write_failed',
    `cannot write ${place}: its journal was closed before this record`,
  );
}

/** @param place - The journal, or the run in its database. */
export function fenced(place: string, epoch: number): ReviewLoopError {
  return new ReviewLoopError(
    storeErrors.journal_fenced,
    `cannot write ${place}: a writer after epoch ${epoch} took over the run`,
  );
}

export function runBusy(runId: string, place: string): ReviewLoopError {
  return new ReviewLoopError('run_busy', `run ${runId} is already in progress in ${place}`, {
    value: runId,
  });
}

const knownTypes = new Set<unknown>(
  JournalRecordSchema.options.map((option) => option.shape.type.value),
);

const LabelSchema = z.object({ type: z.string(), schema: z.number().optional() });

/** `undefined` if the record is only wrong. */
function newerThanKnown(record: unknown): string | undefined {
  const { data } = LabelSchema.safeParse(record);
  if (data === undefined) return undefined;
  if (data.type === 'run' && data.schema !== undefined && data.schema > 1)
    return `schema ${data.schema}`;
  return knownTypes.has(data.type) ? undefined : `a record of type ${data.type}`;
}
