import { resolve } from 'node:path';
import { invalid } from '../core/options.js';

/** Checks the path of a folder, and returns it absolute. */
export function checkedFolder(directory: string): string {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  return resolve(directory);
}
