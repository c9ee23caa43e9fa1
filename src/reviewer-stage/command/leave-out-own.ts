import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Diff } from '../../diff/diff-source.js';

/** A diff without new files that belong to the review itself: its task, its plan, its configuration. */
export function leaveOutOwn(
  diff: Diff,
  cwd: string,
  own: readonly (string | false | undefined)[],
): Diff {
  const root = rootOf(cwd);
  if (root === undefined) return diff;
  const left = new Set(
    own.flatMap((path) => (typeof path === 'string' && path !== '-' ? [resolve(cwd, path)] : [])),
  );
  const files = diff.files.filter(
    ({ path, status }) => status !== 'new' || !left.has(join(root, path)),
  );
  return files.length === diff.files.length ? diff : { ...diff, files };
}

function rootOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : rootOf(above);
}
