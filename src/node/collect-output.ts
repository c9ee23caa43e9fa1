import type { Readable } from 'node:stream';

/** The start and the end of the output of a stream. */
export interface CollectedOutput {
  /** Start and end with a marker between them, never cut inside a UTF-8 character. */
  readonly text: () => string;
  /** Whether bytes are missing. */
  readonly truncated: boolean;
}

/** Collects the first and the last bytes of a stream, `limit` bytes at most. */
export function collectOutput(stream: Readable | null, limit: number): CollectedOutput {
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let dropped = 0;
  stream
    ?.on('error', () => {})
    .on('data', (chunk: Buffer) => {
      const room = Math.min(chunk.length, headLimit - headBytes);
      if (room > 0) head.push(chunk.subarray(0, room));
      headBytes += room;
      if (room === chunk.length) return;
      tail.push(chunk.subarray(room));
      tailBytes += chunk.length - room;
      for (
        let first = tail[0];
        first !== undefined && tailBytes - first.length >= tailLimit;
        first = tail[0]
      ) {
        tail.shift();
        tailBytes -= first.length;
        dropped += first.length;
      }
    });
  return {
    get truncated() {
      return dropped + tailBytes > tailLimit;
    },
    text: () => {
      if (dropped + tailBytes <= tailLimit)
        return Buffer.concat([...head, ...tail]).toString('utf8');
      const start = wholeEnd(Buffer.concat(head));
      const end = wholeStart(Buffer.concat(tail).subarray(Math.max(0, tailBytes - tailLimit)));
      const missing = headBytes + tailBytes + dropped - start.length - end.length;
      return `${start.toString('utf8')}\n[... ${missing} bytes left out ...]\n${end.toString('utf8')}`;
    },
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

function wholeEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead >= 0 && lead + needed > bytes.length ? bytes.subarray(0, lead) : bytes;
}

function wholeStart(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && isContinuation(bytes[from])) from += 1;
  return bytes.subarray(from);
}
