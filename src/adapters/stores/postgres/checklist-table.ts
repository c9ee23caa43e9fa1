import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import type { ChecklistPhase, ChecklistState } from '../../../ports/checklist/checklist-state.js';
import type { ChecklistStore } from '../../../ports/checklist/checklist-store.js';
import { storedChecklistErrors } from '../../../ports/checklist/errors.js';
import { decodeChecklist, encodeChecklist } from '../../../ports/checklist/state-format.js';
import { systemRandom } from '../../../ports/random.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The next writer must still find the revision. */
interface Found {
  readonly revision: string;
  readonly state: ChecklistState;
}

/**
 * A change reads, computes, and writes if nobody wrote meanwhile; otherwise it computes again. A
 * revision is a random number, so that a statement that runs twice finds its own.
 *
 * @param scope - Keeps the checklists of one project apart from those of others.
 */
export function checklistsIn(database: PostgresDatabase, scope: string): ChecklistStore {
  const table = { database, scope };
  // changes of one process do not compete with each other
  const turn = mutex();
  return {
    read: async (phase) => (await found(table, phase))?.state,
    update: (phase, change) => turn(() => changed(table, phase, change)),
  };
}

async function changed(
  table: Table,
  phase: ChecklistPhase,
  change: Parameters<ChecklistStore['update']>[1],
): Promise<ChecklistState> {
  for (;;) {
    const before = await found(table, phase);
    const next = change(before?.state);
    if (before !== undefined && next === before.state) return next;
    const text = encodeChecklist(next);
    const state = stateOf(table, phase, text);
    if (await isWritten(table, phase, { text, revision: before?.revision })) return state;
  }
}

interface Table {
  readonly database: PostgresDatabase;
  readonly scope: string;
}

async function found(table: Table, phase: ChecklistPhase): Promise<Found | undefined> {
  const [row] = await asked(table, (checklists) => [
    `SELECT revision::text AS revision, body FROM ${checklists} WHERE scope = $1 AND phase = $2`,
    [table.scope, phase],
  ]);
  if (row === undefined) return undefined;
  return {
    revision: String(row['revision']),
    state: stateOf(table, phase, String(row['body'])),
  };
}

async function isWritten(
  table: Table,
  phase: ChecklistPhase,
  { text, revision }: { readonly text: string; readonly revision: string | undefined },
): Promise<boolean> {
  // the last 48 bits of an id are random
  const next = String(Number.parseInt(systemRandom.id().slice(-12), 16));
  const rows = await asked(table, (checklists) =>
    revision === undefined
      ? [
          `INSERT INTO ${checklists} AS known (scope, phase, revision, body)
           VALUES ($1, $2, $3::bigint, $4)
           ON CONFLICT (scope, phase) DO UPDATE SET body = excluded.body
           WHERE known.revision = excluded.revision
           RETURNING 1`,
          [table.scope, phase, next, text],
        ]
      : [
          `UPDATE ${checklists}
           SET revision = $3::bigint, body = $4, changed_at = clock_timestamp()
           WHERE scope = $1 AND phase = $2 AND revision IN ($5::bigint, $3::bigint)
           RETURNING 1`,
          [table.scope, phase, next, text, revision],
        ],
  );
  return rows.length === 1;
}

function stateOf({ database }: Table, phase: ChecklistPhase, text: string): ChecklistState {
  return decodeChecklist(text, { phase, where: `${database.name}, checklist ${phase}` });
}

async function asked(
  { database }: Table,
  make: (checklists: string) => [sql: string, values: string[]],
): ReturnType<PostgresDatabase['ask']> {
  try {
    return await database.ask(...make(`${database.schema}.checklists`));
  } catch (error) {
    if (isReviewError(error) && error.code.startsWith('checklist_')) throw error;
    throw new ReviewLoopError(
      storedChecklistErrors.checklist_unavailable,
      `the checklists in ${database.name}: ${messageOf(error)}`,
      { cause: error, retryable: true },
    );
  }
}
