import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { isMissing } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { portErrors } from '../../ports/errors.js';
import { type JournalRecord, JournalRecordSchema } from '../../ports/store.js';
import { newerThanKnown } from '../newer-record.js';
import { readBlob } from './blobs.js';
import { decodeLine, type Envelope, whyNotTorn } from './journal-line.js';
import type { RunPaths } from './run-paths.js';

/** What a journal file holds. */
export interface JournalContent {
  readonly records: readonly JournalRecord[];
  /** How many bytes are whole lines. */
  readonly wholeBytes: number;
  /** What comes after the last line feed: a record whose writer was cut off. */
  readonly tail: Buffer;
  /** The lines of writers that had been taken over; they are no records. */
  readonly fenced: number;
}

interface Kept {
  readonly envelope: Envelope;
  readonly line: number;
}

/**
 * Reads a journal without changing anything; `undefined` when there is none. An unterminated last line is left out, and so
 * are lines that an earlier writer wrote after a later one had taken over.
 *
 * @throws ReviewLoopError `journal_corrupt`, `journal_newer`, `file_unreadable`
 */
export async function readJournal(
  paths: RunPaths,
  runId: string,
): Promise<JournalContent | undefined> {
  const bytes = await contentOf(paths.journal);
  if (bytes === undefined) return undefined;
  const { kept, wholeBytes, fenced } = linesOf(paths, bytes);
  const tail = bytes.subarray(wholeBytes);
  const wrong = tail.length === 0 ? undefined : whyNotTorn(tail);
  if (wrong !== undefined) throw corrupt(paths.journal, kept.length + fenced + 1, wrong);
  const records: JournalRecord[] = [];
  for (const entry of kept) records.push(await recordOf(paths, entry));
  const [first] = records;
  if (first?.type === 'run' && first.runId !== runId)
    throw new ReviewLoopError(
      'run_conflict',
      `${paths.journal} belongs to run ${first.runId}, not to ${runId}`,
      { value: runId },
    );
  return { records, wholeBytes, tail, fenced };
}

/** The bytes of a file; what is no file is refused, since a device could be read forever. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) throw new Error('it is no file');
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${path} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: path,
      },
    );
  }
}

/** Checks every line, and keeps those that count. */
function linesOf(
  { journal }: RunPaths,
  bytes: Buffer,
): { readonly kept: readonly Kept[]; readonly wholeBytes: number; readonly fenced: number } {
  const kept: Kept[] = [];
  let epoch = 0;
  let start = 0;
  let line = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    line += 1;
    const decoded = decodeLine(bytes.subarray(start, end));
    start = end + 1;
    if (decoded.kind === 'corrupt') throw corrupt(journal, line, decoded.why);
    if (decoded.kind === 'newer') throw newer(journal, line, `format ${decoded.version}`);
    const { envelope } = decoded;
    if (envelope.e < epoch) continue;
    if (envelope.n > kept.length || (envelope.e === epoch && envelope.n < kept.length))
      throw corrupt(
        journal,
        line,
        `it is record ${envelope.n}, where record ${kept.length} is due`,
      );
    // what a later writer did not see when it took over had been refused to its writer
    kept.length = envelope.n;
    epoch = envelope.e;
    kept.push({ envelope, line });
  }
  return { kept, wholeBytes: start, fenced: line - kept.length };
}

/** A line's record, with its blobs put back. */
async function recordOf(paths: RunPaths, { envelope, line }: Kept): Promise<JournalRecord> {
  const record = { ...envelope.r };
  for (const member of envelope.b ?? []) {
    const blob = await readBlob(paths, record[member]);
    if (blob.kind === 'damaged')
      throw corrupt(
        paths.journal,
        line,
        `the file ${blob.file} that it refers to is damaged: ${blob.why}`,
      );
    record[member] = blob.value;
  }
  const parsed = JournalRecordSchema.safeParse(record);
  if (parsed.success) return parsed.data;
  const version = newerThanKnown(record);
  if (version !== undefined) throw newer(paths.journal, line, version);
  throw corrupt(
    paths.journal,
    line,
    `its record is not valid: ${messageOf(parsed.error)}`,
    parsed.error,
  );
}

function corrupt(path: string, line: number, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(portErrors.journal_corrupt, `${path}, line ${line}: ${why}`, {
    cause,
    value: path,
  });
}

function newer(path: string, line: number, what: string): ReviewLoopError {
  return new ReviewLoopError(
    portErrors.journal_newer,
    `${path}, line ${line}: it holds ${what}, which this version does not know`,
    { value: path },
  );
}
