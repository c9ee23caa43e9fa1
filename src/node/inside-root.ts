import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { isMissing } from './durable.js';
import { nodeErrors } from './errors.js';

/** Where a path of somebody else's leads. */
export interface Place {
  /** Absolute, with every symbolic link followed where the file exists. */
  readonly path: string;
  readonly exists: boolean;
}

/** A folder that paths must not leave, found once for many of them. */
export interface Root {
  readonly path: string;
  readonly real: string;
  /** Whether paths may lead out of it. */
  readonly open: boolean;
}

/** @throws ReviewLoopError `file_unreadable` when there is no such folder */
export function rootOf(path: string, open: boolean): Root {
  const whole = resolve(path);
  try {
    return { path: whole, real: realpathSync.native(whole), open };
  } catch (error) {
    throw new ReviewLoopError(nodeErrors.file_unreadable, `the root ${whole} cannot be found`, {
      cause: error,
      value: whole,
    });
  }
}

/**
 * Where a path leads from the root: neither `..` nor a symbolic link takes it out, unless the root is open.
 *
 * @throws ReviewLoopError `path_outside`; what the system says when a link cannot be followed
 */
export function placeIn(root: Root, path: string): Place {
  if (path === '' || path.includes('\0')) throw outside(path, 'is no path');
  const whole = resolve(root.path, path);
  if (!root.open && !isInside(root.path, whole) && !isInside(root.real, whole))
    throw outside(path, 'leads out of the root');
  const real = followed(whole);
  if (real === undefined) return { path: whole, exists: false };
  if (!root.open && !isInside(root.real, real))
    throw outside(path, 'leads out of the root by a symbolic link');
  return { path: real, exists: true };
}

function followed(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string, why: string): ReviewLoopError {
  return new ReviewLoopError(nodeErrors.path_outside, `${JSON.stringify(path)} ${why}`, {
    value: path,
  });
}
