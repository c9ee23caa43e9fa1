import { hash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ReviewLoopError } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import { isMissing, syncFolder, writeDurably } from '../../../node/durable.js';
import { systemReason, unreadableFile } from '../../../node/files.js';
import { readPlainFile } from '../../../node/plain-file.js';
import { makeStoreFolder } from '../../../node/store-file.js';
import type { JournalRecord } from '../../../ports/store.js';
import { checkedRecord, corrupt, newer } from '../stored-records.js';
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
  if (wrong !== undefined) throw damaged(paths, lines.length + fenced + 1, wrong);
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
  paths: RunPaths,
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
    if (decoded.kind === 'corrupt') throw damaged(paths, line, decoded.why);
    if (decoded.kind === 'newer')
      throw newer(placeOf(paths, line), `format ${decoded.version}`, paths.journal);
    const { envelope } = decoded;
    if (envelope.e < epoch) continue;
    if (envelope.n > lines.length || (envelope.e === epoch && envelope.n < lines.length))
      throw damaged(
        paths,
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
  for (const member of envelope.b ?? [])
    record[member] = await readBlob(paths, line, record[member]);
  return checkedRecord(record, placeOf(paths, line), paths.journal);
}

function placeOf({ journal }: RunPaths, line: number): string {
  return `${journal}, line ${line}`;
}

function damaged(paths: RunPaths, line: number, why: string): ReviewLoopError {
  return corrupt(placeOf(paths, line), why, undefined, paths.journal);
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

interface LinePlace extends Omit<Envelope, 'b' | 'r'> {
  readonly b?: readonly string[];
}

/** Adds a line feed; `record` is JSON text. */
export function encodeLine({ e, n, b = [] }: LinePlace, record: string): Buffer {
  const blobs = b.length === 0 ? '' : `"b":${JSON.stringify(b)},`;
  const body = Buffer.from(`"e":${e},"n":${n},${blobs}"r":${record}}`);
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

async function readBlob(paths: RunPaths, line: number, reference: unknown): Promise<unknown> {
  const { data } = ReferenceSchema.safeParse(reference);
  const file = join(paths.blobs, data?.$blob ?? '');
  try {
    if (data === undefined) throw new Error('the reference is malformed');
    const bytes = await readPlainFile(file);
    if (bytes.length !== data.bytes || hash('sha256', bytes) !== data.$blob)
      throw new Error('its content was changed');
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw damaged(paths, line, `the file ${file} is damaged: ${systemReason(error)}`);
  }
}
