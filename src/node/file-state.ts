import { lstat } from 'node:fs/promises';
import { systemCode } from './durable.js';

/** Returns what the system says about a file; `undefined` if it is missing. */
export async function fileState(path: string): Promise<string | undefined> {
  try {
    const { mode, size, mtimeMs, ctimeMs } = await lstat(path);
    return `${mode.toString(8)} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : String(code);
  }
}
