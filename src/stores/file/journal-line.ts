import { hash } from 'node:crypto';
import * as z from 'zod';

const EnvelopeSchema = z.object({
  /** The epoch of the writer. */
  e: z.number().int().min(1),
  /** How many records come before it. */
  n: z.number().int().min(0),
  /** The members of the record that are kept as blobs. */
  b: z.array(z.string()).optional(),
  r: z.record(z.string(), z.unknown()),
});

/** One line of a journal file: a record, with what is needed to trust it. */
export type Envelope = z.infer<typeof EnvelopeSchema>;

/** What a line turned out to be. */
export type DecodedLine =
  | { readonly kind: 'line'; readonly envelope: Envelope }
  | { readonly kind: 'corrupt'; readonly why: string }
  | { readonly kind: 'newer'; readonly version: number };

const checksumLength = 16;
const head = '{"c":"';
const separator = '",';
const bodyStart = head.length + checksumLength + separator.length;

/** Writes a line, with its line feed; `record` is the JSON text of the record. */
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
    `"e":${epoch},"n":${index},${blobs.length === 0 ? '' : `"b":${JSON.stringify(blobs)},`}"r":${record}}`,
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
  const { data } = EnvelopeSchema.safeParse(parsed(line));
  return data === undefined
    ? { kind: 'corrupt', why: 'it is no line of a journal' }
    : { kind: 'line', envelope: data };
}

/**
 * Why what stands after the last line feed is no line that was cut off while it was written: then it must not be dropped.
 * After a loss of power there can be zeros in its place.
 */
export function whyNotTorn(tail: Buffer): string | undefined {
  if (decodeLine(tail.subarray(0, -1)).kind === 'line') return 'the end of the line was changed';
  const beginning = tail.subarray(0, head.length);
  return beginning.every((byte, index) => byte === 0 || byte === head.charCodeAt(index))
    ? undefined
    : 'it is not the beginning of a line of a journal';
}

/** A line whose checksum does not hold: damaged, or of a version to come, which says so by `v`. */
function untrusted(line: Buffer): DecodedLine {
  const data = z.looseObject({ v: z.number().optional() }).safeParse(parsed(line)).data;
  if (data?.v !== undefined && data.v > 1) return { kind: 'newer', version: data.v };
  return {
    kind: 'corrupt',
    why:
      data === undefined
        ? 'it is not the JSON of a journal'
        : 'its checksum does not fit its content',
  };
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

function checksumOf(body: Buffer): string {
  return hash('sha256', body).slice(0, checksumLength);
}
