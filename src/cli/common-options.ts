import { relative } from 'node:path';
import { Option } from 'commander';
import { ReviewLoopError } from '../kernel/errors.js';
import { quoted } from './next-command.js';

/** `--format`: for people or for programs. */
export function formatOption(): Option {
  return new Option('--format <format>', 'text for people, json for programs').choices(['text', 'json']).default('text');
}

/** `--store`: where runs are kept. */
export function storeOption(): Option {
  return new Option('--store <store>', 'where runs are kept, as file:DIR').default('file:.reviewloop');
}

/**
 * The folder of a store.
 *
 * @throws ReviewLoopError `usage`
 */
export function storeFolder(store: string): string {
  if (!store.startsWith('file:') || store.length === 5) throw new ReviewLoopError('usage', `--store expects file:DIR, got ${JSON.stringify(store)}`, { value: store });
  return store.slice(5);
}

/** The option that names a store in a next command, with a space before it; empty for the usual one. */
export function storeFlag(cwd: string, folder: string): string {
  const shown = relative(cwd, folder);
  return shown === '.reviewloop' ? '' : ` --store ${quoted(`file:${shown || '.'}`)}`;
}
