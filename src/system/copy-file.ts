import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMissing } from './durable.js';

/** Copies a file, named from a folder; whether there was one. */
export async function copyIfThere(folder: string, from: string, to: string): Promise<boolean> {
  try {
    await copyFile(resolve(folder, from), to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
