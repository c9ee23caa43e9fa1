import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from './files.js';

/**
 * Returns whether the file system finds a file by its name in other letter case.
 *
 * @param folder - A folder that contains the file.
 * @param name - A name with letters.
 */
export async function foldsCase(folder: string, name: string): Promise<boolean> {
  const other = [...name]
    .map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase()))
    .join('');
  if (other === name || !(await isThere(join(folder, other)))) return false;
  const names = await readdir(folder).catch((): string[] => []);
  return !names.includes(other);
}
