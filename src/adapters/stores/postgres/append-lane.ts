import { isReviewError } from '../../../core/errors.js';
import type { JournalRecord } from '../../../ports/store.js';
import { storeErrors } from '../errors.js';
import { questions, type RecordRow, recordRow, recordRows, runColumns } from '../record-columns.js';
import { replacing } from '../rows/columns.js';
import type { TableRow } from '../rows/table-database.js';
import type { RunEntry } from '../run-journal.js';
import { writeFailed } from '../stored-records.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { RunHold } from './worker-lease.js';

const mostItems = 2000;

const mostText = 4_000_000;

interface Waiting extends AppendItem {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What arrives while a statement is on its way goes into the next one together. */
export class AppendLane {
  readonly #database: PostgresDatabase;
  readonly #statement: string;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;

  constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#statement = appendStatement(database.schema);
  }

  /** Writes a record, or gives the hold of a run back. Resolves when that is durable. */
  put(item: AppendItem): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...item, resolve, reject });
      // what is appended without waiting goes together
      this.#sending ??= Promise.resolve().then(() => this.#sendAll());
    });
  }

  async idle(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, this.#next()));
    this.#sending = undefined;
  }

  /** The next statement gets one writer of each run, and not too much. */
  #next(): number {
    const tokens = new Map<string, string>();
    let text = 0;
    const end = this.#waiting.findIndex(({ hold: { runId, token }, entry }, index) => {
      text += entry?.body.length ?? 0;
      const isOther = (tokens.get(runId) ?? token) !== token;
      tokens.set(runId, token);
      return index > 0 && (isOther || index >= mostItems || text > mostText);
    });
    return end === -1 ? this.#waiting.length : end;
  }

  async #send(items: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.#database.ask(this.#statement, appendValues(items));
      const written = new Set(rows.map(({ token }) => token));
      for (const item of items) settle(item, written.has(item.hold.token));
    } catch (error) {
      const runs = new Set(items.map(({ hold }) => hold.runId));
      if (runs.size === 1 || !isRefused(error)) {
        for (const { reject } of items) reject(asWriteFailed(this.#database.name, error));
        return;
      }
      // a record that the database refuses must not take other runs with it
      for (const runId of runs) await this.#send(items.filter(({ hold }) => hold.runId === runId));
    }
  }
}

function settle({ hold, entry, resolve, reject }: Waiting, isWritten: boolean): void {
  if (isWritten) {
    if (entry !== undefined) hold.written = entry.n + 1;
    resolve();
  } else reject(hold.fence());
}

function isRefused(error: unknown): boolean {
  return isReviewError(error) && error.code === storeErrors.store_unavailable.code;
}

/** What the database refuses is a failure of the write. */
export function asWriteFailed(name: string, error: unknown): unknown {
  return isReviewError(error) && !isRefused(error) ? error : writeFailed(name, error);
}

interface AppendItem {
  readonly hold: RunHold;
  /** `undefined` gives the hold back. */
  readonly entry: RunEntry | undefined;
}

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
    Object.assign(this.#columns, runColumns(record), this.#waitAfter(record));
  }

  row(): Readonly<Record<string, unknown>> {
    const { runId, token } = this.#hold;
    const counts = { base: this.#base, upto: this.#upto, release: this.#release };
    return { run_id: runId, token, ...counts, ...this.#columns };
  }

  #waitAfter(record: JournalRecord): TableRow {
    if (record.type !== 'end' || record.status !== 'suspended')
      return { suspended_at: null, due_at: null };
    return { suspended_at: record.at, due_at: this.#hold.dueAt(record.waits) };
  }
}

/** The records are written together, in their order. */
function appendValues(items: readonly AppendItem[]): string[] {
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
    const placed = { runId, epoch, ...entry };
    records.push(recordRows.row(placed));
    const own = recordRow(placed);
    // a question that is asked again replaces the earlier one
    if (own !== undefined) beside[own.table].set(`${runId}\n${own.id}`, own.row);
  }
  const changes = [...runs.values()].map((change) => change.row());
  const others = Object.values(beside).map((rows) => [...rows.values()]);
  return [changes, records, ...others].map((rows) => JSON.stringify(rows));
}

/**
 * Appends to any number of runs, and returns the tokens of those that it wrote. It locks the runs
 * in the order of their ids. It writes a run whose token is the given one, and that has the records
 * which the writer knows. A second time it changes nothing.
 *
 * @param s - The quoted name of the schema.
 */
function appendStatement(s: string): string {
  const columns = Object.keys(recordRows.columns).join(', ');
  const rows = (table: string, value: number, wanted = 't.*'): string =>
    `SELECT ${wanted} FROM json_populate_recordset(NULL::${s}.${table}, $${value}::text::json) t
     WHERE t.run_id IN (SELECT run_id FROM written)`;
  return `
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::text::json) AS t(
    run_id text, token text, base int, upto int, release boolean, status text, code text,
    pipeline text, task_digest text, task text, started_at float8, ended_at float8,
    changed_at float8, suspended_at float8, due_at float8
  )
), held AS MATERIALIZED (
  SELECT r.run_id FROM ${s}.runs r JOIN given g ON g.run_id = r.run_id AND g.token = r.token
  WHERE r.records IN (g.base, g.upto) ORDER BY r.run_id FOR UPDATE OF r
), written AS (
  UPDATE ${s}.runs r SET
    records = greatest(r.records, g.upto),
    pipeline = coalesce(g.pipeline, r.pipeline),
    task_digest = coalesce(g.task_digest, r.task_digest),
    task = coalesce(g.task, r.task),
    started_at = coalesce(g.started_at, r.started_at),
    changed_at = coalesce(g.changed_at, r.changed_at),
    status = coalesce(g.status, r.status),
    code = CASE WHEN g.status IS NULL THEN r.code ELSE g.code END,
    ended_at = CASE WHEN g.status IS NULL THEN r.ended_at ELSE g.ended_at END,
    suspended_at = CASE WHEN g.status IS NULL THEN r.suspended_at ELSE g.suspended_at END,
    due_at = CASE WHEN g.status IS NULL THEN r.due_at ELSE to_timestamp(g.due_at / 1000) END,
    touched_at = clock_timestamp(), claims = 0,
    reserved_until = CASE WHEN g.release THEN NULL ELSE r.reserved_until END,
    holder = CASE WHEN g.release THEN NULL ELSE r.holder END
  FROM given g JOIN held h ON h.run_id = g.run_id WHERE r.run_id = g.run_id
  RETURNING r.run_id, r.token
), inserted AS (
  INSERT INTO ${s}.records (${columns}) ${rows('records', 2, columns)}
  ON CONFLICT (run_id, n) DO NOTHING
), stepped AS (
  INSERT INTO ${s}.steps ${rows('steps', 3)} ON CONFLICT (run_id, n) DO NOTHING
), asked AS (
  INSERT INTO ${s}.questions ${rows('questions', 4)}
  ${replacing(questions)}
), answered AS (
  INSERT INTO ${s}.answers ${rows('answers', 5)} ON CONFLICT (run_id, n) DO NOTHING
)
SELECT token FROM written`;
}
