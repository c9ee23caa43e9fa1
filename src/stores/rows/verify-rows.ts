import { AuditChain, type AuditProblem } from '../../ports/audit-chain.js';
import {
  type AuditVerification,
  missingRecord,
  type VerifyAuditOptions,
} from '../file/verify-audit.js';

/** Number of rows read at a time, and largest number of reported problems. */
export const mostAuditRows = 1000;

/** A record that a run knows of. */
export interface RunMark {
  readonly runId: string;
  readonly seq: unknown;
  readonly hash: unknown;
}

/** The audit log of a database. */
export interface AuditRows {
  /** What runs know of the log. */
  readonly marks: () => Promise<readonly RunMark[]>;
  /** Returns the next rows with a higher number, at most {@link mostAuditRows}, in their order. */
  readonly after: (
    seq: number,
  ) => Promise<readonly { readonly seq: number; readonly line: string }[]>;
}

/** Verifies the audit log of a database, as `verifyAudit` does for a directory. */
export async function verifyRows(
  rows: AuditRows,
  { expect = [], onRecord }: VerifyAuditOptions,
): Promise<AuditVerification> {
  // read the marks first: a record that is written meanwhile must not look missing
  const marked = await rows.marks();
  const due = [
    ...marked.map(({ runId, seq, hash }) => ({ seq, hash, by: `run ${runId}` })),
    ...expect.map((mark) => ({ ...mark, by: '`expect`' })),
  ];
  const chain = new AuditChain();
  const problems: AuditProblem[] = [];
  const hashes = new Map<unknown, string>();
  for await (const line of lines(rows)) {
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
    problems: problems.slice(0, mostAuditRows),
  };
}

async function* lines({ after }: AuditRows): AsyncGenerator<string> {
  let last: number | undefined = -1;
  while (last !== undefined) {
    const rows: Awaited<ReturnType<AuditRows['after']>> = await after(last);
    yield* rows.map(({ line }) => line);
    last = rows.at(-1)?.seq;
  }
}
