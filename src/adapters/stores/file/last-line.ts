import type { FileHandle } from 'node:fs/promises';

/** A file may be cut meanwhile: then there are fewer bytes. */
export async function bytesFrom(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Reads only the end of a file. Bytes after `end` belong to a line without a line feed. */
export async function lastLine(
  handle: FileHandle,
): Promise<{ readonly line: Buffer | undefined; readonly end: number; readonly size: number }> {
  const { size } = await handle.stat();
  for (let wanted = 4096; ; wanted *= 4) {
    const from = Math.max(0, size - wanted);
    const bytes = await bytesFrom(handle, from, size);
    const end = bytes.lastIndexOf(10);
    const before = end <= 0 ? -1 : bytes.lastIndexOf(10, end - 1);
    if (before === -1 && from > 0) continue;
    const line = end === -1 ? undefined : bytes.subarray(before + 1, end);
    return { line, end: from + end + 1, size };
  }
}
