import { hash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import { isMissing, syncFolder, writeDurably } from '../../../node/durable.js';
import { systemReason, unreadableFile } from '../../../node/files.js';
import { readPlainFile } from '../../../node/plain-file.js';
import { makeStoreFolder } from '../../../node/store-file.js';
import { portErrors } from '../../../ports/errors.js';
import { type JournalRecord, JournalRecordSchema } from '../../../ports/store.js';
import { newerThanKnown } from '../stored-records.js';
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
 * Changes nothing; `undefined` if it does not exist. Skips an unfinished last line, and lines of a
 * writer after another one took over the run.
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

/** Refuses anything but a regular file, because a device may never end. */
async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readPlainFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadableFile(path, error);
  }
}

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

const EnvelopeSchema = z.object({
  e: z.number().int().min(1),
  /** Number of records before this one. */
  n: z.number().int().min(0),
  /** Names of the members that are stored as blobs. */
  b: z.array(z.string()).optional(),
  r: z.record(z.string(), z.unknown()),
});

type Envelope = z.infer<typeof EnvelopeSchema>;

export type DecodedLine =
  | { readonly kind: 'line'; readonly envelope: Envelope }
  | { readonly kind: 'corrupt'; readonly why: string }
  | { readonly kind: 'newer'; readonly version: number };

const checksumLength = 16;

const head = '{"c":"';

const separator = '",';

const bodyStart = head.length + checksumLength + separator.length;

/** Adds a line feed; `record` is JSON text. */
export function encodeLine({
  epoch,
  index,
  blobs,
  record,
}: {
  readonly epoch: number;
  readonly index: number;
  readonly blobs: readonly string[];
  readonly record: string;
}): Buffer {
  const body = Buffer.from(
    `"e":${epoch},"n":${index},` +
      `${blobs.length === 0 ? '' : `"b":${JSON.stringify(blobs)},`}"r":${record}}`,
  );
  return Buffer.concat([
    Buffer.from(`${head}${checksumOf(body)}${separator}`),
    body,
    Buffer.from('\n'),
  ]);
}

export function decodeLine(line: Buffer): DecodedLine {
  const body = line.subarray(bodyStart);
  if (line.toString('latin1', 0, bodyStart) !== `${head}${checksumOf(body)}${separator}`)
    return untrusted(line);
  const { data } = EnvelopeSchema.safeParse(jsonIn(line.toString('utf8')));
  return data === undefined
    ? { kind: 'corrupt', why: 'it is not a line of a journal' }
    : { kind: 'line', envelope: data };
}

/**
 * Why the bytes after the last line feed must not be dropped; `undefined` for an unfinished line.
 * After a loss of power, an unfinished line may consist of zeros.
 */
function whyNotTorn(tail: Buffer): string | undefined {
  if (decodeLine(tail.subarray(0, -1)).kind === 'line') return 'the end of the line was changed';
  const beginning = tail.subarray(0, head.length);
  return beginning.every((byte, index) => byte === 0 || byte === head.charCodeAt(index))
    ? undefined
    : 'it is not the start of a line of a journal';
}

/** A line with a wrong checksum is damaged, or from a later version, which sets `v`. */
function untrusted(line: Buffer): DecodedLine {
  const data = z
    .looseObject({ v: z.number().optional() })
    .safeParse(jsonIn(line.toString('utf8'))).data;
  if (data?.v !== undefined && data.v > 1) return { kind: 'newer', version: data.v };
  return {
    kind: 'corrupt',
    why: data === undefined ? 'it is not JSON' : 'its checksum does not match its content',
  };
}

function checksumOf(body: Buffer): string {
  return hash('sha256', body).slice(0, checksumLength);
}

const ReferenceSchema = z.object({
  $blob: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().min(0),
});

/** Content in a separate file that is named after its hash. */
export interface Blob {
  readonly hash: string;
  readonly bytes: Buffer;
}

export interface SplitRecord {
  readonly record: string;
  readonly members: readonly string[];
  readonly blobs: readonly Blob[];
}

/** Replaces members of more than `limit` bytes by references. */
export function splitRecord(record: object, limit: number): SplitRecord {
  const whole = JSON.stringify(record);
  if (whole.length * 3 <= limit || Buffer.byteLength(whole) <= limit)
    return { record: whole, members: [], blobs: [] };
  const members: string[] = [];
  const blobs: Blob[] = [];
  const parts = Object.entries(record).flatMap(([name, value]) => {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return [];
    const bytes = Buffer.from(text);
    if (bytes.length <= limit) return [`${JSON.stringify(name)}:${text}`];
    const blob = { hash: hash('sha256', bytes), bytes };
    members.push(name);
    blobs.push(blob);
    return [`${JSON.stringify(name)}:${JSON.stringify({ $blob: blob.hash, bytes: bytes.length })}`];
  });
  return { record: `{${parts.join(',')}}`, members, blobs };
}

/** Writes durably, unless it exists. */
export async function writeBlob({ folder, blobs }: RunPaths, blob: Blob): Promise<void> {
  const path = join(blobs, blob.hash);
  if ((await sizeOf(path)) === blob.bytes.length) return;
  if ((await makeStoreFolder(folder, blobs)) !== undefined) await syncFolder(folder);
  await writeDurably(path, blob.bytes);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export type ReadBlob =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'damaged'; readonly file: string; readonly why: string };

async function readBlob({ blobs }: RunPaths, reference: unknown): Promise<ReadBlob> {
  const { data } = ReferenceSchema.safeParse(reference);
  if (data === undefined)
    return { kind: 'damaged', file: blobs, why: 'the reference is malformed' };
  const file = join(blobs, data.$blob);
  try {
    const bytes = await readPlainFile(file);
    if (bytes.length !== data.bytes || hash('sha256', bytes) !== data.$blob)
      return { kind: 'damaged', file, why: 'its content was changed' };
    return { kind: 'value', value: JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    return { kind: 'damaged', file, why: systemReason(error) };
  }
}
