import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import {
  AuditChain,
  type AuditMark,
  type AuditProblem,
  type AuditRecord,
  auditLine,
  checkedEntry,
  nextRecord,
} from '../../ports/audit-chain.js';
import type { AuditSink } from '../../ports/audit-sink.js';
import type { Clock } from '../../ports/clock.js';
import { portErrors } from '../../ports/errors.js';
import { storeErrors } from '../errors.js';
import {
  type AuditVerification,
  missingRecord,
  type VerifyAuditOptions,
} from '../file/verify-audit.js';
import type { Database, SqliteRow, Tables } from './database.js';
import { plainText, shownText } from './driver.js';
import { insertRow } from './insert-row.js';

/** Returns the audit log in a database. */
export function auditIn(database: Database, clock: Clock): AuditSink {
  return {
    record: async (given) => {
      const entry = checkedEntry(given);
      try {
        return await database.write((tables) => {
          const record = nextRecord(entry, {
            last: lastOf(tables, database.name),
            at: new Date(clock.now()).toISOString(),
          });
          const { seq, hash, runId } = record;
          insertRow(tables, 'audit', columnsOf(record));
          if (runId !== undefined)
            tables.run(
              'UPDATE runs SET audit_seq = ?, audit_hash = ? WHERE run_id = ?',
              seq,
              hash,
              plainText(runId),
            );
          return { seq, hash };
        });
      } catch (error) {
        if (isReviewError(error) && error.code.startsWith('audit_')) throw error;
        throw new ReviewLoopError(
          portErrors.audit_unwritable,
          `cannot write the audit log in ${database.name}: ${messageOf(error)}`,
          { cause: error, value: database.name },
        );
      }
    },
  };
}

function columnsOf(record: AuditRecord): SqliteRow {
  return {
    seq: record.seq,
    at: record.at,
    kind: record.kind,
    who: plainText(record.who),
    run_id: plainText(record.runId),
    version: plainText(record.version),
    request: plainText(record.request),
    verdict: plainText(record.verdict),
    decision: plainText(record.decision),
    reason: shownText(record.reason),
    line: auditLine(record),
  };
}

/** Returns the mark of the last record, and checks its hash. */
function lastOf(tables: Tables, database: string): AuditMark | undefined {
  const [row] = tables.all('SELECT line FROM audit ORDER BY seq DESC LIMIT 1');
  if (row === undefined) return undefined;
  const { record, problems } = new AuditChain().next(String(row['line']));
  if (record !== undefined && problems.every(({ problem }) => problem !== 'changed'))
    return { seq: record.seq, hash: record.hash };
  throw new ReviewLoopError(
    storeErrors.audit_corrupt,
    `the last record of the audit log in ${database} was changed`,
    { value: database },
  );
}

/** Number of rows read at a time, and largest number of reported problems. */
const most = 1000;

/** Verifies the audit log of a database, as `verifyAudit` does for a directory. */
export async function verifyTable(
  database: Database,
  { expect = [], onRecord }: VerifyAuditOptions,
): Promise<AuditVerification> {
  // read the marks first: a record that is written meanwhile must not look missing
  const marked = await database.read((tables) =>
    tables.all('SELECT run_id, audit_seq, audit_hash FROM runs WHERE audit_seq IS NOT NULL'),
  );
  const due = [
    ...marked.map((row) => ({
      seq: row['audit_seq'],
      hash: row['audit_hash'],
      by: `run ${row['run_id']}`,
    })),
    ...expect.map((mark) => ({ ...mark, by: '`expect`' })),
  ];
  const chain = new AuditChain();
  const problems: AuditProblem[] = [];
  const hashes = new Map<unknown, string>();
  for await (const line of lines(database)) {
    const { record, problems: found } = chain.next(line);
    problems.push(...found);
    if (record === undefined) continue;
    hashes.set(record.seq, record.hash);
    onRecord?.(record);
  }
  for (const { seq, hash, by } of due) {
    const found = hashes.get(seq);
    if (found !== hash) problems.push(missingRecord(seq, found, by));
  }
  return {
    intact: problems.length === 0,
    records: hashes.size,
    head: chain.head,
    torn: false,
    problems: problems.slice(0, most),
  };
}

async function* lines(database: Database): AsyncGenerator<string> {
  let after: number | undefined = -1;
  while (after !== undefined) {
    const from: number = after;
    const rows = await database.read((tables) =>
      tables.all('SELECT seq, line FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', from, most),
    );
    yield* rows.map((row) => String(row['line']));
    const last = rows.at(-1)?.['seq'];
    after = last === undefined ? undefined : Number(last);
  }
}
