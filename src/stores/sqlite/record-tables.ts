import { plainText } from '../plain-text.js';
import {
  answerColumns,
  type PlacedRecord,
  questionColumns,
  stepColumns,
} from '../record-columns.js';
import { insertRow, replaceRow, type Tables } from './database.js';

/** Updates the tables that are derived from a record. */
export function updateRecordTables(tables: Tables, { runId, n, record }: PlacedRecord): void {
  switch (record.type) {
    case 'run':
      startRun(tables, { runId, n, record });
      break;
    case 'step':
    case 'attempt':
      insertRow(tables, 'steps', stepColumns({ runId, n, record }));
      break;
    case 'request':
      replaceRow(tables, 'questions', questionColumns({ runId, n, record }));
      break;
    case 'answer':
      insertRow(tables, 'answers', answerColumns({ runId, n, record }));
      break;
    case 'end':
      endRun(tables, { runId, n, record });
  }
}

function startRun(tables: Tables, { runId, record }: PlacedRecord<'run'>): void {
  tables.run(
    'UPDATE runs SET pipeline = ?, task_digest = ?, task = ?, started_at = ? WHERE run_id = ?',
    plainText(record.pipeline),
    plainText(record.taskDigest),
    JSON.stringify(record.task ?? null),
    record.at,
    runId,
  );
}

function endRun(tables: Tables, { runId, record }: PlacedRecord<'end'>): void {
  tables.run(
    'UPDATE runs SET code = ?, ended_at = ? WHERE run_id = ?',
    plainText(record.code),
    record.at,
    runId,
  );
}
