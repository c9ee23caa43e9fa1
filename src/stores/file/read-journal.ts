import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { isMissing } from '../../node/durable.js';
import { unreadableFile } from '../../node/files.js';
import { readPlainFile } from '../../node/plain-file.js';
import { portErrors } from '../../ports/errors.js';
import { type JournalRecord, JournalRecordSchema } from '../../ports/store.js';
import { newerThanKnown } from '../newer-record.js';
import { readBlob } from './blobs.js';
import { decodeLine, type Envelope, whyNotTorn } from './journal-line.js';
import type { RunPaths } from './run-paths.js';

export interface JournalContent {
  readonly records: readonly JournalRecord[];
  /** Number of bytes in complete lines. */
  readonly wholeBytes: number;
  /** The bytes after the last line feed: an unfinished record. */
  readonly tail: Buffer;
  /** Number of ignored lines, by writers whose run had been taken over. */
  readonly fenced: number;
}

interface NumberedEnvelope {
  readonly envelope: Envelope;
  readonly line: number;
}

/**
 * Reads a journal without changing anything; `undefined` if it does not exist. It skips an
 * unfinished last line, and lines of a writer after another one took over the run.
 *
 * @throws ReviewLoopError `journal_corrupt`, `journal_newer`, `run_conflict`, `file_unreadable`
 */
export async function readJournal(
  paths: RunPaths,
  runId: string,
): Promise<JournalContent | undefined> {
  const bytes = await contentOf(paths.journal);
  if (bytes === undefined) return undefined;
  const { lines, wholeBytes, fenced } = linesOf(paths, bytes);
  const tail = bytes.subarray(wholeBytes);
  const wrong = tail.length === 0 ? undefined : whyNotTorn(tail);
  if (wrong !== undefined) throw corrupt(paths.journal, lines.length + fenced + 1, wrong);
  const records: JournalRecord[] = [];
  for (const entry of lines) records.push(await recordOf(paths, entry));
  const [first] = records;
  if (first?.type === 'run' && first.runId !== runId)
    throw new ReviewLoopError(
      'run_conflict',
      `${paths.journal} belongs to run ${first.runId}, not to ${runId}`,
      { value: runId },
    );
  return { records, wholeBytes, tail, fenced };
}

/** Reads a regular file. It refuses anything else, because a device may never end. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readPlainFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadableFile(path, error);
  }
}

/** Checks every line, and returns the valid ones. */
function linesOf(
  { journal }: RunPaths,
  bytes: Buffer,
): {
  readonly lines: readonly NumberedEnvelope[];
  readonly wholeBytes: number;
  readonly fenced: number;
} {
  const lines: NumberedEnvelope[] = [];
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
    if (envelope.n > lines.length || (envelope.e === epoch && envelope.n < lines.length))
      throw corrupt(
        journal,
        line,
        `it contains record ${envelope.n}; expected record ${lines.length}`,
      );
    // a later writer did not see these lines: appending them had failed
    lines.length = envelope.n;
    epoch = envelope.e;
    lines.push({ envelope, line });
  }
  return { lines, wholeBytes: start, fenced: line - lines.length };
}

async function recordOf(
  paths: RunPaths,
  { envelope, line }: NumberedEnvelope,
): Promise<JournalRecord> {
  const record = { ...envelope.r };
  for (const member of envelope.b ?? []) {
    const blob = await readBlob(paths, record[member]);
    if (blob.kind === 'damaged')
      throw corrupt(paths.journal, line, `the file ${blob.file} is damaged: ${blob.why}`);
    record[member] = blob.value;
  }
  const parsed = JournalRecordSchema.safeParse(record);
  if (parsed.success) return parsed.data;
  const version = newerThanKnown(record);
  if (version !== undefined) throw newer(paths.journal, line, version);
  throw new ReviewLoopError(
    portErrors.journal_corrupt,
    `${paths.journal}, line ${line}: its record is not valid: ${messageOf(parsed.error)}`,
    { cause: parsed.error, value: paths.journal },
  );
}

function corrupt(path: string, line: number, why: string): ReviewLoopError {
  return new ReviewLoopError(portErrors.journal_corrupt, `${path}, line ${line}: ${why}`, {
    value: path,
  });
}

function newer(path: string, line: number, what: string): ReviewLoopError {
  return new ReviewLoopError(
    portErrors.journal_newer,
    `${path}, line ${line}: it contains ${what}, which this version does not know`,
    { value: path },
  );
}
