import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The source files below a folder of the repository, as paths from its root. */
export function sourceFiles(folder: string): string[] {
  const found = readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' });
  return found
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

export const readSource = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
