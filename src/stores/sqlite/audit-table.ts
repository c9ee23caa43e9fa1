import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import {
  AuditChain,
  type AuditMark,
  type AuditProblem,
  auditLine,
  checkedEntry,
  nextRecord,
} from '../../ports/audit-chain.js';
import type { AuditSink } from '../../ports/audit-sink.js';
import type { Clock } from '../../ports/clock.js';
import { storeErrors } from '../errors.js';
import type { AuditVerification } from '../file/verify-audit.js';
import type { Database, Tables } from './database.js';
import { plainText } from './plain-text.js';

/** The audit log in a database. */
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
          const { seq, at, kind, who, runId, version, request, verdict, decision, reason, hash } =
            record;
          const said = [runId, version, request, verdict, decision, reason].map((text) =>
            plainText(text),
          );
          tables.run(
            'INSERT INTO audit (seq, at, kind, who, run_id, version, request, verdict, decision, reason, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
            ...[seq, at, kind, plainText(who), ...said, auditLine(record)],
          );
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
          'audit_unwritable',
          `the audit log in ${database.name} cannot be written: ${messageOf(error)}`,
          { cause: error, value: database.name },
        );
      }
    },
  };
}

/** The mark of the last record, which must be whole in itself. */
function lastOf(tables: Tables, database: string): AuditMark | undefined {
  const [row] = tables.all('SELECT line FROM audit ORDER BY seq DESC LIMIT 1');
  if (row === undefined) return undefined;
  const { record, problems } = new AuditChain().next(String(row['line']));
  if (record !== undefined && problems.every(({ problem }) => problem !== 'changed'))
    return { seq: record.seq, hash: record.hash };
  throw new ReviewLoopError(
    storeErrors.audit_corrupt,
    `the last record of the audit log in ${database} is not one that was written`,
    { value: database },
  );
}

/** How many rows are read at once, and how many problems are listed at most. */
const most = 1000;

/** Checks the audit log of a database, as `verifyAudit` does that of a directory. */
export async function verifyTable(
  database: Database,
  expect: readonly AuditMark[],
): Promise<AuditVerification> {
  // the marks first: a record that is written meanwhile must not look like one that is missing
  const kept = await database.read((tables) =>
    tables.all('SELECT run_id, audit_seq, audit_hash FROM runs WHERE audit_seq IS NOT NULL'),
  );
  const due = [
    ...kept.map((row) => ({
      seq: row['audit_seq'],
      hash: row['audit_hash'],
      by: `run ${row['run_id']}`,
    })),
    ...expect.map((mark) => ({ ...mark, by: 'what is expected' })),
  ];
  const chain = new AuditChain();
  const problems: AuditProblem[] = [];
  const hashes = new Map<unknown, string>();
  for await (const line of lines(database)) {
    const { record, problems: found } = chain.next(line);
    problems.push(...found);
    if (record !== undefined) hashes.set(record.seq, record.hash);
  }
  for (const { seq, hash, by } of due) {
    const found = hashes.get(seq);
    if (found !== hash)
      problems.push({
        line: 0,
        problem: 'missing',
        what: `record ${seq} is ${found === undefined ? 'not there' : 'another one'}, says ${by}`,
      });
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
