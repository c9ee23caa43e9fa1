import { copyFile, stat, utimes } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMissing } from './durable.js';

/** Copies a file with its time, named from a folder; whether there was one. By the time of its index git tells which files it must read again. */
export async function copyIfThere(folder: string, from: string, to: string): Promise<boolean> {
  try {
    const source = resolve(folder, from);
    const { atime, mtime } = await stat(source);
    await copyFile(source, to);
    await utimes(to, atime, mtime);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
