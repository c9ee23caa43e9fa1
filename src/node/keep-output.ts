import type { Readable } from 'node:stream';

/** What was kept of a stream. */
export interface KeptOutput {
  /** Head and tail, with a marker where bytes are left out; never cut inside a character of UTF-8. */
  readonly text: () => string;
  /** Whether bytes are left out. */
  readonly truncated: boolean;
}

/** Keeps the first and the last bytes of a stream, in bounded memory. */
export function keepOutput(stream: Readable | null, limit: number): KeptOutput {
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let leftOut = 0;
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
        leftOut += first.length;
      }
    });
  return {
    get truncated() {
      return leftOut + tailBytes > tailLimit;
    },
    text: () => {
      if (leftOut + tailBytes <= tailLimit)
        return Buffer.concat([...head, ...tail]).toString('utf8');
      const start = wholeEnd(Buffer.concat(head));
      const end = wholeStart(Buffer.concat(tail).subarray(Math.max(0, tailBytes - tailLimit)));
      const missing = headBytes + tailBytes + leftOut - start.length - end.length;
      return `${start.toString('utf8')}\n[... ${missing} bytes left out ...]\n${end.toString('utf8')}`;
    },
  };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

/** Without the first bytes of a character whose rest was cut off. */
function wholeEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead >= 0 && lead + needed > bytes.length ? bytes.subarray(0, lead) : bytes;
}

/** Without the last bytes of a character whose beginning was cut off. */
function wholeStart(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && isContinuation(bytes[from])) from += 1;
  return bytes.subarray(from);
}
