import { hash } from 'node:crypto';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { firstBytes } from '../../core/text/truncate.js';
import { portErrors } from '../../ports/errors.js';
import { type JournalRecord, JournalRecordSchema, type RunSummary } from '../../ports/store.js';

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
  return { n: row.n, record: recordIn(row.body, place) };
}

function recordIn(body: string, place: string): JournalRecord {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw corrupt(place, messageOf(error), error);
  }
  const parsed = JournalRecordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const newer = newerThanKnown(value);
  if (newer !== undefined)
    throw new ReviewLoopError(
      portErrors.journal_newer,
      `${place}: it contains ${newer}, which this version does not know`,
      { value: place },
    );
  throw corrupt(
    place,
    `it is not valid: ${firstBytes(messageOf(parsed.error), 1000)}`,
    parsed.error,
  );
}

export function checksum(runId: string, n: number, body: string): string {
  return hash('sha256', `${runId}\n${n}\n${body}`).slice(0, 16);
}

export function corrupt(place: string, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(portErrors.journal_corrupt, `${place}: ${why}`, {
    cause,
    value: place,
  });
}

export function recordText(record: JournalRecord, runId: string): string {
  const body = JSON.stringify(record);
  const { error } = JournalRecordSchema.safeParse(JSON.parse(body));
  if (error === undefined) return body;
  throw new ReviewLoopError(
    'journal_write_failed',
    `cannot write run ${runId}: invalid record: ${z.prettifyError(error)}`,
    { cause: error, value: record },
  );
}

export function journalClosed(runId: string, database: string): ReviewLoopError {
  return new ReviewLoopError(
    'journal_write_failed',
    `cannot write run ${runId} in ${database}: its journal was closed before this record`,
  );
}

const knownTypes = new Set<unknown>(
  JournalRecordSchema.options.map((option) => option.shape.type.value),
);

const LabelSchema = z.object({ type: z.string(), schema: z.number().optional() });

/** `undefined` if the record is only wrong. */
export function newerThanKnown(record: unknown): string | undefined {
  const { data } = LabelSchema.safeParse(record);
  if (data === undefined) return undefined;
  if (data.type === 'run' && data.schema !== undefined && data.schema > 1)
    return `schema ${data.schema}`;
  return knownTypes.has(data.type) ? undefined : `a record of type ${data.type}`;
}
