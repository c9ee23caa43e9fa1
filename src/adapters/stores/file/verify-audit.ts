import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { jsonIn } from '../../../core/json-or-text.js';
import { call, checkTable, fits, type OptionTable } from '../../../core/options.js';
import { isMissing, systemCode } from '../../../node/durable.js';
import { unreadableFile } from '../../../node/files.js';
import { openPlainFile, readPlainText } from '../../../node/plain-file.js';
import { checkedFolder, namesIn } from '../../../node/store-file.js';
import {
  AuditChain,
  type AuditMark,
  AuditMarkSchema,
  type AuditProblem,
  type AuditRecord,
} from '../../../ports/audit-chain.js';
import { auditPathsOf, pathsIn, runsFolder } from './run-paths.js';

/** Options of {@link verifyAudit}. */
export interface VerifyAuditOptions {
  /** Marks of records that must exist, besides those in the folders of runs. @default [] */
  readonly expect?: readonly AuditMark[] | undefined;
  /** Called with every readable record, the oldest first. @default nothing is called */
  readonly onRecord?: ((record: AuditRecord) => void) | undefined;
}

/** The result of {@link verifyAudit}. */
export interface AuditVerification {
  /** Whether hashes and marks show no change of the log. */
  readonly intact: boolean;
  /** Number of readable records. */
  readonly records: number;
  /** The mark of the last record. Store it elsewhere to detect a log that is truncated later. */
  readonly head: AuditMark | undefined;
  /** Whether the log ends with an unfinished record, which does not count. */
  readonly torn: boolean;
  /** The first 1000 problems. */
  readonly problems: readonly AuditProblem[];
}

const mostProblems = 1000;

/**
 * Verifies the audit log of a directory and changes nothing. Each record must be unchanged and
 * follow the one before. Every record whose mark is in a run's folder or in `expect` must exist.
 *
 * @throws ReviewLoopError `invalid_options`, `file_unreadable`
 * @example
 * ```ts
 * const { intact, problems, head } = await verifyAudit('.reviewloop');
 * ```
 */
export async function verifyAudit(
  directory: string,
  options: VerifyAuditOptions = {},
): Promise<AuditVerification> {
  const folder = checkedFolder(directory);
  // read the marks first: a record that is written meanwhile must not look missing
  const known = await marksOf(folder);
  const log = new LogLines(auditPathsOf(folder).log);
  const verified = await verifyLines(log, known.marks, options);
  const problems = [...verified.problems, ...known.problems].slice(0, mostProblems);
  return { ...verified, intact: problems.length === 0, torn: log.torn, problems };
}

/** A record that must exist, and who says so. */
export interface DueRecord {
  readonly seq: unknown;
  readonly hash: unknown;
  readonly by: string;
}

const table: OptionTable<VerifyAuditOptions> = {
  expect: fits(
    'marks { seq, hash }',
    (marks) =>
      Array.isArray(marks) && marks.every((mark) => AuditMarkSchema.safeParse(mark).success),
  ),
  onRecord: call,
};

export async function verifyLines(
  lines: AsyncIterable<string>,
  marks: readonly DueRecord[],
  options: VerifyAuditOptions,
): Promise<AuditVerification> {
  checkTable('verifyAudit', table, options);
  const { expect = [], onRecord } = options;
  const due = [...marks, ...expect.map((mark): DueRecord => ({ ...mark, by: '`expect`' }))];
  const hashes = new Map<unknown, string | undefined>(due.map(({ seq }) => [seq, undefined]));
  const chain = new AuditChain();
  const problems: AuditProblem[] = [];
  let records = 0;
  for await (const line of lines) {
    const { record, problems: found } = chain.next(line);
    if (problems.length < mostProblems) problems.push(...found);
    if (record === undefined) continue;
    records += 1;
    onRecord?.(record);
    if (hashes.has(record.seq)) hashes.set(record.seq, record.hash);
  }
  for (const { seq, hash, by } of due) {
    const found = hashes.get(seq);
    if (found !== hash) problems.push(missingRecord(seq, found, by));
  }
  return {
    intact: problems.length === 0,
    records,
    head: chain.head,
    torn: false,
    problems: problems.slice(0, mostProblems),
  };
}

/** `found` is the hash in its place. */
function missingRecord(seq: unknown, found: string | undefined, by: string): AuditProblem {
  const state = found === undefined ? 'missing' : 'a different one';
  return {
    line: 0,
    problem: 'missing',
    what: `record ${String(seq)} is ${state}, according to ${by}`,
  };
}

class LogLines implements AsyncIterable<string> {
  /** Whether the last line has no end, which is known after all lines. */
  torn = false;
  readonly #log: string;

  constructor(log: string) {
    this.#log = log;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    let rest = Buffer.alloc(0);
    try {
      for await (const chunk of (await openPlainFile(this.#log)).createReadStream()) {
        rest = Buffer.concat([rest, chunk as Buffer]);
        for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
          const line = rest.subarray(0, end);
          yield isUtf8(line) ? line.toString('utf8') : '';
          rest = rest.subarray(end + 1);
        }
      }
    } catch (error) {
      if (!isMissing(error)) throw unreadableFile(this.#log, error);
    }
    this.torn = rest.length > 0;
  }
}

const unreadable = { line: 0, problem: 'unreadable' } as const;

async function marksOf(
  directory: string,
): Promise<{ readonly marks: readonly DueRecord[]; readonly problems: readonly AuditProblem[] }> {
  const marks: DueRecord[] = [];
  const problems: AuditProblem[] = [];
  const folder = runsFolder(directory);
  for (const name of (await namesIn(folder)).sort((a, b) => (a < b ? -1 : 1))) {
    // an unreadable mark is a problem: it may be the one that shows a missing record
    const text = await readPlainText(pathsIn(join(folder, name)).mark).catch((error: unknown) =>
      ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '') ? undefined : '',
    );
    if (text === undefined) continue;
    const mark = AuditMarkSchema.safeParse(jsonIn(text)).data;
    if (mark !== undefined) marks.push({ ...mark, by: `run ${name}` });
    else problems.push({ ...unreadable, what: `the mark of run ${name} is not valid` });
  }
  return { marks, problems };
}

export async function auditRecords(
  verify: (options: VerifyAuditOptions) => Promise<AuditVerification>,
): Promise<Pick<AuditVerification, 'intact' | 'problems'> & { readonly records: AuditRecord[] }> {
  const records: AuditRecord[] = [];
  const found = await verify({ onRecord: (record) => void records.push(record) });
  return { ...found, records };
}
