import { invalid } from '../../../core/options.js';
import { checkPageLimit } from '../../../ports/run-pages.js';
import type {
  OrphanPage,
  RunQuery,
  RunSummary,
  WaitingPage,
  WaitingQuery,
  WaitingRun,
} from '../../../ports/store.js';
import { checkedQuery, cursorOf, waitingRun } from '../../../ports/waiting-runs.js';
import { checkedRow, summaryOf } from '../stored-records.js';
import { noLimit, type TableDatabase } from './table-database.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * The runs come in the order in which they began.
 *
 * @param position - The column with that order.
 */
export async function listRuns(
  database: TableDatabase,
  { status, pipeline, limit, after }: RunQuery,
  position: string,
): Promise<readonly RunSummary[]> {
  checkPageLimit(limit);
  const wanted = Object.entries({ status, pipeline }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const rows = await database.ask(
    `SELECT run_id, status, pipeline, code, started_at, ${position} AS cursor
     FROM ${database.schema}.runs WHERE records > 0 AND ${position} > $1::bigint
       ${wanted.map(({ name }, index) => `AND ${name} = $${index + 3}::text`).join(' ')}
     ORDER BY ${position} LIMIT $2::int`,
    [positionIn(after), limit ?? noLimit, ...wanted.map(({ value }) => value)],
  );
  return rows.map((row) => summaryOf(row, limit));
}

export function positionIn(after: string | undefined): string {
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw invalid('after', 'the cursor of an earlier page', after);
  return after ?? '0';
}

/** @param rows - One more than the page has, if there are more. */
export function orphanPage(rows: readonly Row[], limit: number): OrphanPage {
  const page = rows.slice(0, limit);
  return {
    runs: page.map(({ run_id: runId, pipeline, epoch }) => ({
      runId: String(runId),
      pipeline: String(pipeline ?? ''),
      epoch: String(epoch),
    })),
    ...(rows.length > limit && { next: String(page.at(-1)?.['cursor']) }),
  };
}

/**
 * Newest first, with their open questions. A run with a broken record is left out.
 *
 * @param suspended - The condition of a suspended run, and the column with its time.
 */
export async function waitingRuns(
  database: TableDatabase,
  query: WaitingQuery,
  { where, at }: { readonly where: string; readonly at: string },
): Promise<WaitingPage> {
  const { limit, after } = checkedQuery(query);
  const { schema: s } = database;
  const rows = await database.ask(
    `SELECT p.run_id, p.suspended, p.pipeline, c.n, c.body, c.sum FROM (
       SELECT run_id, ${at} AS suspended, pipeline FROM ${s}.runs
       WHERE ${where} ${after === undefined ? '' : `AND (${at}, run_id) < ($2::float8, $3::text)`}
       ORDER BY ${at} DESC, run_id DESC LIMIT $1::int
     ) AS p LEFT JOIN ${s}.records c
       ON c.run_id = p.run_id AND c.type IN ('request', 'answer', 'end')
     ORDER BY p.suspended DESC, p.run_id DESC, c.n`,
    [limit + 1, ...(after === undefined ? [] : [after.at, after.runId])],
  );
  const runs = new Map<string, Row[]>();
  for (const row of rows) {
    const runId = String(row['run_id']);
    const found = runs.get(runId) ?? [];
    runs.set(runId, found);
    found.push(row);
  }
  const page = [...runs].slice(0, limit);
  const [lastId, [last] = []] = page.at(-1) ?? [];
  return {
    runs: page.flatMap(([runId, found]) => waitingIn(runId, found, database.name)),
    ...(runs.size > limit &&
      lastId !== undefined && {
        next: cursorOf({ at: Number(last?.['suspended']), runId: lastId }),
      }),
  };
}

function waitingIn(runId: string, rows: readonly Row[], name: string): WaitingRun[] {
  try {
    const found = rows.filter(({ n }) => n !== null).map((row) => checkedRow(row, runId, name));
    const waiting = waitingRun(
      runId,
      found.map(({ record }) => record),
    );
    return waiting === undefined
      ? []
      : [{ ...waiting, pipeline: String(rows[0]?.['pipeline'] ?? '') }];
  } catch {
    return [];
  }
}
