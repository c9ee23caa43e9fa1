import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ReviewLoopError } from '../core/errors.js';
import { truncateBytes } from '../core/text/truncate.js';
import { isMissing } from './durable.js';
import { nodeErrors } from './errors.js';

export interface Place {
  /** Absolute, with all symbolic links resolved if the file exists. */
  readonly path: string;
  readonly exists: boolean;
}

/** A folder that paths must not leave. */
export interface Root {
  readonly path: string;
  /** The path with all symbolic links resolved. */
  readonly real: string;
  /** Whether paths may lead out of it. */
  readonly open: boolean;
}

export function rootOf(path: string, open: boolean): Root {
  const whole = resolve(path);
  try {
    return { path: whole, real: realpathSync.native(whole), open };
  } catch (error) {
    throw new ReviewLoopError(nodeErrors.file_unreadable, `cannot find the root ${whole}`, {
      cause: error,
      value: whole,
    });
  }
}

/**
 * Unless the root is open, neither `..` nor a symbolic link may lead out of it, also for a file
 * that does not exist yet.
 */
export function placeIn(root: Root, path: string): Place {
  if (path === '' || path.includes('\0')) throw outside(path, 'is not a path');
  const whole = resolve(root.path, path);
  if (!root.open && !isInside(root.path, whole) && !isInside(root.real, whole))
    throw outside(path, `leads out of ${root.path}`);
  const real = realPath(whole);
  if (real === undefined) {
    if (!root.open && !isInside(root.real, realFolderOf(whole)))
      throw outside(path, `leads out of ${root.path} through a symbolic link`);
    return { path: whole, exists: false };
  }
  if (!root.open && !isInside(root.real, real))
    throw outside(path, `leads out of ${root.path} through a symbolic link`);
  return { path: real, exists: true };
}

/**
 * However the path is written, its name is relative to the root, with all symbolic links resolved
 * if the file exists.
 */
export function nameIn(root: Root, path: string): string {
  const { path: place, exists } = placeIn(root, path);
  return relative(exists ? root.real : root.path, place) || '.';
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function realFolderOf(path: string): string {
  const folder = dirname(path);
  return folder === path ? path : (realPath(folder) ?? realFolderOf(folder));
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string, why: string): ReviewLoopError {
  const shown = JSON.stringify(shortly(path));
  return new ReviewLoopError(nodeErrors.path_outside, `${shown} ${why}`, { value: path });
}

function shortly(path: string): string {
  return truncateBytes(path, 300);
}

/** `..` becomes a folder named `_up`. Characters that some file systems refuse become `_`. */
export function insideFolder(folder: string, path: string): string {
  const parts = path
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '..' ? '_up' : safeName(part)));
  return join(folder, ...(parts.length === 0 ? ['_unnamed'] : parts));
}

/** Devices of Windows: a file with such a name, also with an ending, is not a file there. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[ .])/i;

/** At most 200 bytes, and accepted by every file system. */
export function safeName(part: string): string {
  const name = part
    .replace(/[\p{Cc}<>:"|?*]/gu, '_')
    .replace(/^\.+$/, '_')
    // Windows drops them at the end of a name, so that two names become one
    .replace(/(?<![. ])[. ]+$/, (end) => '_'.repeat(end.length))
    .replace(device, '_$&');
  return Buffer.byteLength(name) <= 200
    ? name
    : `${Buffer.from(name)
        .subarray(0, 190)
        .toString('utf8')
        .replace(/\ufffd+$/, '')}_cut`;
}
