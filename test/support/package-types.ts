import { join } from 'node:path';
import { libraryEntries } from '../../scripts/entries.mjs';
import { isFresh } from '../../scripts/fresh-build.mjs';
import { root } from '../architecture/repository.js';

/**
 * Where a compiler finds the types of each entry point: in the package, if it was built from these sources, which takes
 * a sixth of the time; otherwise in the sources.
 */
export function packagePaths(): Readonly<Record<string, readonly string[]>> {
  const isBuilt = isFresh();
  return Object.fromEntries(
    Object.entries(libraryEntries).map(([entry, source]) => [
      entry === 'index' ? 'reviewloop' : `reviewloop/${entry}`,
      [join(root, isBuilt ? `dist/${entry}.d.ts` : source)],
    ]),
  );
}
