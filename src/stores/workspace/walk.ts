import type { BigIntStats } from 'node:fs';
import { chmod, lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { isMissing, isTemporary, systemCode } from '../../node/durable.js';
import { mapBounded } from '../../ports/limiter.js';
import { storeErrors } from '../errors.js';
import type { LeftOut } from './ignored-paths.js';

/** Something that stands in a folder. */
export interface Found {
  /** From the top of the folder, with `/`. */
  readonly path: string;
  readonly stats: BigIntStats;
  /** Where a symbolic link leads; it is never followed. */
  readonly target?: string | undefined;
}

/** What is walked over, and for what. */
export interface WalkOptions {
  readonly root: string;
  readonly leftOut: LeftOut;
  /** Whether it is going to be replaced: then folders are made readable, and what an unfinished restore left is shown too. */
  readonly toReplace: boolean;
}

/** How many names are looked at side by side. */
const width = 16;

/**
 * Everything in a folder, but for what is left out, parents before what is in them.
 *
 * @throws ReviewLoopError `workspace_unreadable`, `workspace_changed`
 */
export async function walk(options: WalkOptions): Promise<readonly Found[]> {
  const found: Found[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const one of await lookInto(options, folder)) {
      found.push(one);
      if (one.stats.isDirectory()) open.push(one.path);
    }
  }
  return found;
}

/** A path for messages: names may hold line breaks. */
export function shown(path: string): string {
  return JSON.stringify(path);
}

/** The permissions of something. */
export function modeOf(stats: BigIntStats): number {
  return Number(stats.mode & 0o7777n);
}

async function lookInto(options: WalkOptions, folder: string): Promise<readonly Found[]> {
  const { root, leftOut, toReplace } = options;
  const names = await namesIn(options, folder);
  const paths = names
    .filter((name) => toReplace || !isTemporary(name))
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
    .filter((path) => !leftOut(path));
  return mapBounded(paths, width, (path) => lookAt(join(root, path), path));
}

async function lookAt(absolute: string, path: string): Promise<Found> {
  try {
    const stats = await lstat(absolute, { bigint: true });
    if (!stats.isSymbolicLink()) return { path, stats };
    return {
      path,
      stats,
      target: decoded(
        await readlink(absolute, { encoding: 'buffer' }),
        `the target of ${shown(path)}`,
      ),
    };
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function namesIn(
  { root, toReplace }: WalkOptions,
  folder: string,
): Promise<readonly string[]> {
  const absolute = join(root, folder);
  const list = async (): Promise<readonly Buffer[]> => readdir(absolute, { encoding: 'buffer' });
  const names = await list().catch(async (error: unknown) => {
    if (!toReplace || systemCode(error) !== 'EACCES') throw unreadable(folder, error);
    await chmod(absolute, 0o700);
    return list();
  });
  return names.map((name) => decoded(name, `a name in ${shown(folder)}`));
}

function decoded(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ReviewLoopError(
      storeErrors.workspace_unreadable,
      `${what} is not UTF-8: ${shown(bytes.toString('latin1'))}`,
      { cause: error },
    );
  }
}

/** The error for something that cannot be looked at; what has just gone away has changed. */
export function unreadable(path: string, error: unknown): ReviewLoopError {
  if (error instanceof ReviewLoopError) return error;
  if (isMissing(error) || systemCode(error) === 'ELOOP' || systemCode(error) === 'ENOTDIR')
    return new ReviewLoopError(
      storeErrors.workspace_changed,
      `${shown(path)} changed while it was looked at`,
      { cause: error, value: path },
    );
  return new ReviewLoopError(
    storeErrors.workspace_unreadable,
    `${shown(path)} cannot be read: ${messageOf(error)}`,
    { cause: error, value: path },
  );
}
