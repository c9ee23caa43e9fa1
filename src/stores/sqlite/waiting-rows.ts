import type { WaitingPage, WaitingQuery, WaitingRun } from '../../ports/store.js';
import { checkedQuery, cursorOf, waitingRun } from '../../ports/waiting-runs.js';
import { checkedRow } from '../stored-records.js';
import type { Database, Tables } from './database.js';

/**
 * Returns a page of the suspended runs with their open questions, newest first. A run with a broken
 * record is left out.
 *
 * @throws ReviewLoopError `invalid_options`, and the errors of reading
 */
export async function waitingRows(database: Database, query: WaitingQuery): Promise<WaitingPage> {
  const { limit, after = { at: Number.MAX_SAFE_INTEGER, runId: '' } } = checkedQuery(query);
  return database.read((tables) => {
    const rows = tables.all(
      `SELECT run_id, changed_at, pipeline FROM runs
       WHERE status = 'suspended' AND (changed_at, run_id) < (?, ?)
       ORDER BY changed_at DESC, run_id DESC LIMIT ?`,
      after.at,
      after.runId,
      limit + 1,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const runs = page.flatMap(({ run_id: runId, pipeline }) => {
      const found = waiting(tables, String(runId), database.name);
      return found === undefined ? [] : [{ ...found, pipeline: String(pipeline ?? '') }];
    });
    return {
      runs,
      ...(rows.length > limit &&
        last !== undefined && {
          next: cursorOf({ at: Number(last['changed_at']), runId: String(last['run_id']) }),
        }),
    };
  });
}

function waiting(tables: Tables, runId: string, name: string): WaitingRun | undefined {
  const rows = tables.all(
    `SELECT n, body, sum FROM records WHERE run_id = ? AND type IN ('request', 'answer', 'end') ORDER BY n`,
    runId,
  );
  try {
    return waitingRun(
      runId,
      rows.map((row) => checkedRow(row, runId, name).record),
    );
  } catch {
    return undefined;
  }
}
