import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../system/durable.js';

/** Keeps a new directory out of version control. */
export async function ignoreAll(directory: string): Promise<void> {
  try {
    const handle = await open(join(directory, '.gitignore'), 'wx');
    try {
      await handle.writeFile('*\n');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
