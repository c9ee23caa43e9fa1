import { relative } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from '../node/errors.js';
import { databaseOf, databaseSuffix } from './kept-runs.js';
import { quoted } from './show/next-command.js';

/** `--format`: for people or for programs. */
export function formatOption(): Option {
  return new Option('--format <format>', 'text for people, json for programs')
    .choices(['text', 'json'])
    .default('text');
}

/** `--json`: the short form of it. */
export function jsonOption(): Option {
  return new Option('--json', 'short for --format json').implies({ format: 'json' });
}

/** `--store`: where runs are kept. */
export function storeOption(): Option {
  return new Option('--store <store>', 'where runs are kept, as file:DIR or sqlite:FILE').default(
    'file:.reviewloop',
  );
}

/**
 * The folder of a store: for `file:DIR` the one that is named, for `sqlite:FILE` the one beside the database that keeps reports.
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
  if (kind === 'sqlite') return `${place.replace(/[\\/]+$/, '')}${databaseSuffix}`;
  if (databaseOf(place.replace(/[\\/]+$/, '')) === undefined) return place;
  throw new ReviewLoopError(
    nodeErrors.usage,
    `--store got the folder of reports of a database; it is opened by sqlite:${databaseOf(place)}`,
    { value: store },
  );
}

/** The option that names a store in a next command, with a space before it; empty for the usual one. */
export function storeFlag(cwd: string, folder: string): string {
  const database = databaseOf(folder);
  if (database !== undefined) return ` --store ${quoted(`sqlite:${relative(cwd, database)}`)}`;
  const shown = relative(cwd, folder);
  return shown === '.reviewloop' ? '' : ` --store ${quoted(`file:${shown || '.'}`)}`;
}

/** A whole number from 1. */
export function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new InvalidArgumentError('Expected a whole number from 1.');
  return Number(value);
}
