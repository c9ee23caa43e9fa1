import { hash } from 'node:crypto';
import * as z from 'zod';
import { jsonIn } from '../../core/json-or-text.js';

const EnvelopeSchema = z.object({
  /** The epoch of the writer. */
  e: z.number().int().min(1),
  /** Number of records before this one. */
  n: z.number().int().min(0),
  /** Names of the members that are stored as blobs. */
  b: z.array(z.string()).optional(),
  r: z.record(z.string(), z.unknown()),
});

/** One line of a journal file: a record with its writer and number. */
export type Envelope = z.infer<typeof EnvelopeSchema>;

/** The result of reading a line. */
export type DecodedLine =
  | { readonly kind: 'line'; readonly envelope: Envelope }
  | { readonly kind: 'corrupt'; readonly why: string }
  | { readonly kind: 'newer'; readonly version: number };

const checksumLength = 16;
const head = '{"c":"';
const separator = '",';
const bodyStart = head.length + checksumLength + separator.length;

/** Returns a line with its line feed; `record` is the JSON text of the record. */
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

/** Reads a line without its line feed. */
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
 * Returns why the bytes after the last line feed must not be dropped. Returns `undefined` for an
 * unfinished line. After a loss of power, an unfinished line may consist of zeros.
 */
export function whyNotTorn(tail: Buffer): string | undefined {
  if (decodeLine(tail.subarray(0, -1)).kind === 'line') return 'the end of the line was changed';
  const beginning = tail.subarray(0, head.length);
  return beginning.every((byte, index) => byte === 0 || byte === head.charCodeAt(index))
    ? undefined
    : 'it is not the start of a line of a journal';
}

/** Reads a line with a wrong checksum: it is damaged, or from a later version, which sets `v`. */
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
