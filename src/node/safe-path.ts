import { join } from 'node:path';

/**
 * Where an artifact of any path is kept inside a folder. Nothing leads out of it: what goes up becomes a folder named
 * `_up`, and characters that no file system takes are replaced.
 */
export function insideFolder(folder: string, path: string): string {
  const parts = path
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '..' ? '_up' : safeName(part)));
  return join(folder, ...(parts.length === 0 ? ['_unnamed'] : parts));
}

/** A name that every file system takes. */
export function safeName(part: string): string {
  const name = part.replace(/[\p{Cc}<>:"|?*]/gu, '_').replace(/^\.+$/, '_');
  return Buffer.byteLength(name) <= 200
    ? name
    : `${Buffer.from(name)
        .subarray(0, 190)
        .toString('utf8')
        .replace(/\ufffd+$/, '')}_cut`;
}
