import { AuditChain, type AuditProblem } from '../../ports/audit-chain.js';
import {
  type AuditVerification,
  missingRecord,
  type VerifyAuditOptions,
} from '../file/verify-audit.js';
import type { TableDatabase } from './table-database.js';

/** Number of rows read at a time, and largest number of reported problems. */
const most = 1000;

/** Verifies the audit log of a database, as `verifyAudit` does for a directory. */
export async function verifyTable(
  database: TableDatabase,
  { expect = [], onRecord }: VerifyAuditOptions,
): Promise<AuditVerification> {
  // read the marks first: a record that is written meanwhile must not look missing
  const marked = await database.ask(
    `SELECT run_id, audit_seq, audit_hash FROM ${database.schema}.runs WHERE audit_seq IS NOT NULL`,
  );
  const due: { readonly seq: number; readonly hash: unknown; readonly by: string }[] = [
    ...marked.map(({ run_id: runId, audit_seq: seq, audit_hash: hash }) => {
      return { seq: Number(seq), hash, by: `run ${String(runId)}` };
    }),
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

async function* lines(database: TableDatabase): AsyncGenerator<string> {
  let last: unknown = -1;
  while (last !== undefined) {
    const rows = await database.ask(
      `SELECT seq, line FROM ${database.schema}.audit WHERE seq > $1::bigint ORDER BY seq LIMIT $2::int`,
      [Number(last), most],
    );
    yield* rows.map(({ line }) => String(line));
    last = rows.at(-1)?.['seq'];
  }
}
