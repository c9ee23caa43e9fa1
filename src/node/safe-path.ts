import { join } from 'node:path';

/**
 * Returns a path inside a folder for any artifact path. `..` becomes a folder named `_up`.
 * Characters that some file systems refuse become `_`.
 */
export function insideFolder(folder: string, path: string): string {
  const parts = path
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '..' ? '_up' : safeName(part)));
  return join(folder, ...(parts.length === 0 ? ['_unnamed'] : parts));
}

/** Devices of Windows: a file with such a name, also with an ending, is not a file there. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[ .])/i;

/** Returns a file name that every file system accepts, of at most 200 bytes. */
export function safeName(part: string): string {
  const name = part
    .replace(/[\p{Cc}<>:"|?*]/gu, '_')
    .replace(/^\.+$/, '_')
    // Windows drops them at the end of a name, so that two names become one
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
    .replace(device, '_$&');
  return Buffer.byteLength(name) <= 200
    ? name
    : `${Buffer.from(name)
        .subarray(0, 190)
        .toString('utf8')
        .replace(/\ufffd+$/, '')}_cut`;
}
