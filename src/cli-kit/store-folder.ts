import { relative } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from '../node/errors.js';
import { databaseOf, databaseSuffix } from './database-of.js';
import { quoted } from './show/quoted.js';

/**
 * Returns the folder of a store: `DIR` of `file:DIR`, or the folder of reports next to the database
 * of `sqlite:FILE`.
 *
 * @throws ReviewLoopError `usage`
 */
export function storeFolder(store: string): string {
  const [, kind, place = ''] = /^(file|sqlite):(.+)$/s.exec(store) ?? [];
  if (kind === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `--store expects file:DIR or sqlite:FILE, got ${JSON.stringify(store)}`,
      { value: store },
    );
  if (kind === 'sqlite') return `${place.replace(/(?<![\\/])[\\/]+$/, '')}${databaseSuffix}`;
  if (databaseOf(place.replace(/(?<![\\/])[\\/]+$/, '')) === undefined) return place;
  throw new ReviewLoopError(
    nodeErrors.usage,
    `--store got the folder of reports of a database; pass sqlite:${databaseOf(place)}`,
    { value: store },
  );
}

/** Returns the `--store` of a next command, with a space before it; '' for the default store. */
export function storeWords(cwd: string, folder: string): string {
  const database = databaseOf(folder);
  if (database !== undefined) return ` --store ${quoted(`sqlite:${relative(cwd, database)}`)}`;
  const shown = relative(cwd, folder);
  return shown === '.reviewloop' ? '' : ` --store ${quoted(`file:${shown || '.'}`)}`;
}
