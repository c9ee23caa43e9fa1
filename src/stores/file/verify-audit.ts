import { isUtf8 } from 'node:buffer';
import { open, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { checkKeys, invalid } from '../../core/options.js';
import { isMissing, systemCode } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import {
  AuditChain,
  type AuditMark,
  AuditMarkSchema,
  type AuditProblem,
} from '../../ports/audit-chain.js';
import { auditPathsOf, markName } from './audit-paths.js';
import { runsFolder } from './run-paths.js';

/** What is known of a log from elsewhere. */
export interface VerifyAuditOptions {
  /** Records that must be there, as they were told when they were written or verified. @default those that runs keep */
  readonly expect?: readonly AuditMark[] | undefined;
}

/** What a verification found. */
export interface AuditVerification {
  /** Whether the log is exactly what was written, as far as its hashes and marks tell. */
  readonly intact: boolean;
  readonly records: number;
  /** The last record; keep it elsewhere to find out later whether the log was cut short. */
  readonly head: AuditMark | undefined;
  /** Whether the log ends in a part of a record that was never finished; it does not count. */
  readonly torn: boolean;
  readonly problems: readonly AuditProblem[];
}

/** More problems than these are not listed. */
const mostProblems = 1000;

/**
 * Checks the audit log of a directory: every record is what was written, follows the one before, and those are there whose marks are kept
 * by runs or expected. Nothing is changed.
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
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  checkKeys('verifyAudit', options, ['expect']);
  const { expect = [] } = options;
  if (!Array.isArray(expect) || expect.some((mark) => !AuditMarkSchema.safeParse(mark).success))
    throw invalid('expect', 'marks { seq, hash }', expect);
  const folder = resolve(directory);
  // the marks first: a record that is written meanwhile must not look like one that is missing
  const kept = await marksOf(folder);
  const due = [...kept.marks, ...expect.map((mark) => ({ mark, by: 'what is expected' }))];
  const reading = await readLog(auditPathsOf(folder).log, new Set(due.map(({ mark }) => mark.seq)));
  const missing = due.flatMap(({ mark, by }): AuditProblem[] => {
    const found = reading.hashes.get(mark.seq);
    if (found === mark.hash) return [];
    return [
      {
        line: 0,
        problem: 'missing',
        what: `record ${mark.seq} is ${found === undefined ? 'not there' : 'another one'}, says ${by}`,
      },
    ];
  });
  const problems = [...reading.problems, ...kept.problems, ...missing].slice(0, mostProblems);
  return {
    intact: problems.length === 0,
    records: reading.records,
    head: reading.head,
    torn: reading.torn,
    problems,
  };
}

interface Reading {
  readonly records: number;
  readonly head: AuditMark | undefined;
  readonly torn: boolean;
  readonly problems: readonly AuditProblem[];
  /** The hashes of the records that are due. */
  readonly hashes: ReadonlyMap<number, string>;
}

/** Reads a log line by line. */
async function readLog(log: string, due: ReadonlySet<number>): Promise<Reading> {
  const chain = new AuditChain();
  const problems: AuditProblem[] = [];
  const hashes = new Map<number, string>();
  let records = 0;
  let rest = Buffer.alloc(0);
  const take = (line: Buffer): void => {
    const { record, problems: found } = chain.next(isUtf8(line) ? line.toString('utf8') : '');
    if (problems.length < mostProblems) problems.push(...found);
    if (record === undefined) return;
    records += 1;
    if (due.has(record.seq)) hashes.set(record.seq, record.hash);
  };
  try {
    for await (const chunk of (await open(log, 'r')).createReadStream()) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
        take(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
      }
    }
  } catch (error) {
    if (!isMissing(error))
      throw new ReviewLoopError(
        nodeErrors.file_unreadable,
        `${log} cannot be read: ${messageOf(error)}`,
        {
          cause: error,
          value: log,
        },
      );
  }
  return { records, head: chain.head, torn: rest.length > 0, problems, hashes };
}

interface KeptMark {
  readonly mark: AuditMark;
  readonly by: string;
}

async function marksOf(
  directory: string,
): Promise<{ readonly marks: readonly KeptMark[]; readonly problems: readonly AuditProblem[] }> {
  const marks: KeptMark[] = [];
  const problems: AuditProblem[] = [];
  const folder = runsFolder(directory);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${folder} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: folder,
      },
    );
  });
  for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
    // a mark that cannot be read is none that is not there: it may be the one that shows what is missing
    const text = await readFile(join(folder, name, markName), 'utf8').catch((error: unknown) =>
      ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '') ? undefined : '',
    );
    if (text === undefined) continue;
    const mark = markOf(text);
    if (mark !== undefined) marks.push({ mark, by: `run ${name}` });
    else
      problems.push({
        line: 0,
        problem: 'unreadable',
        what: `the mark of run ${name} is not one that was written`,
      });
  }
  return { marks, problems };
}

function markOf(text: string): AuditMark | undefined {
  try {
    return AuditMarkSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
