import type { JournalRecord } from '../../ports/store.js';
import { plainText, type TableRow } from '../plain-text.js';
import { type RecordRow, recordRow } from '../record-columns.js';
import { checksum } from '../stored-records.js';
import type { RunHold } from './run-hold.js';

/** A record that waits to be written, or the end of a hold. */
export interface AppendItem {
  readonly hold: RunHold;
  /** `undefined` gives the hold back. */
  readonly entry: AppendEntry | undefined;
}

/** A record with its place in its run. */
export interface AppendEntry {
  readonly record: JournalRecord;
  /** Number of records before this one. */
  readonly n: number;
  /** The JSON text of the record. */
  readonly body: string;
}

/** The rows of one statement that appends to any number of runs. */
export interface AppendRows {
  readonly runs: readonly Readonly<Record<string, unknown>>[];
  readonly records: readonly TableRow[];
  readonly steps: readonly TableRow[];
  readonly questions: readonly TableRow[];
  readonly answers: readonly TableRow[];
}

/** What a statement changes in the row of a run. */
class RunChange {
  readonly #hold: RunHold;
  readonly #base: number;
  readonly #columns: Record<string, unknown> = {};
  #upto: number;
  #release = false;

  constructor({ hold, entry }: AppendItem) {
    this.#hold = hold;
    this.#base = entry?.n ?? hold.written;
    this.#upto = this.#base;
  }

  add({ entry }: AppendItem): void {
    if (entry === undefined) {
      this.#release = true;
      return;
    }
    const { record, n } = entry;
    this.#upto = n + 1;
    // nothing follows an end until the run is opened again
    this.#release = record.type === 'end';
    this.#hold.note(record);
    Object.assign(this.#columns, { changed_at: record.at }, this.#statusAfter(record));
    if (record.type === 'run')
      Object.assign(this.#columns, {
        pipeline: plainText(record.pipeline),
        task_digest: plainText(record.taskDigest),
        task: JSON.stringify(record.task ?? null),
        started_at: record.at,
      });
  }

  row(): Readonly<Record<string, unknown>> {
    const { runId, token } = this.#hold;
    const counts = { base: this.#base, upto: this.#upto, release: this.#release };
    return { run_id: runId, token, ...counts, ...this.#columns };
  }

  #statusAfter(record: JournalRecord): Readonly<Record<string, unknown>> {
    if (record.type !== 'end')
      return { status: 'running', code: null, ended_at: null, suspended_at: null, due_at: null };
    const isSuspended = record.status === 'suspended';
    return {
      status: plainText(record.status),
      code: plainText(record.code),
      ended_at: record.at,
      suspended_at: isSuspended ? record.at : null,
      due_at: isSuspended ? this.#hold.dueAt(record.waits) : null,
    };
  }
}

/** Returns the rows of records that are written together, in their order. */
export function appendRows(items: readonly AppendItem[]): AppendRows {
  const runs = new Map<string, RunChange>();
  const records: TableRow[] = [];
  const beside: Record<RecordRow['table'], Map<string, TableRow>> = {
    steps: new Map(),
    questions: new Map(),
    answers: new Map(),
  };
  for (const item of items) {
    const { hold, entry } = item;
    const change = runs.get(hold.runId) ?? new RunChange(item);
    runs.set(hold.runId, change);
    change.add(item);
    if (entry === undefined) continue;
    const { runId, epoch } = hold;
    const { record, n, body } = entry;
    const sum = checksum(runId, n, body);
    records.push({ run_id: runId, n, epoch, type: record.type, body, sum, at: record.at });
    const own = recordRow({ runId, n, record });
    // a question that is asked again replaces the earlier one
    if (own !== undefined) beside[own.table].set(`${runId}\n${own.id}`, own.row);
  }
  return {
    runs: [...runs.values()].map((change) => change.row()),
    records,
    steps: [...beside.steps.values()],
    questions: [...beside.questions.values()],
    answers: [...beside.answers.values()],
  };
}
