import { lstat } from 'node:fs/promises';
import { systemCode } from './durable.js';

/**
 * Returns what the system says about a file; `undefined` if it is missing. A write changes it, also
 * one that brings the old content and time back.
 */
export async function fileState(path: string): Promise<string | undefined> {
  try {
    const { mode, ino, size, mtimeMs, ctimeMs } = await lstat(path);
    return `${mode.toString(8)} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : String(code);
  }
}
