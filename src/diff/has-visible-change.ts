import { isBlank } from '../core/empty-output.js';
import type { DiffFile } from './diff-source.js';

/**
 * Returns whether a change has anything to review: a line with a visible character, a binary file,
 * or a file that was deleted, renamed or got another mode. A new file without content has nothing.
 */
export function hasVisibleChange(files: readonly DiffFile[]): boolean {
  return files.some(
    ({ status, binary, submodule, omitted, oldMode, newMode, hunks, added, removed }) =>
      (status !== 'new' && status !== 'modified') ||
      binary ||
      submodule ||
      omitted ||
      // a source may tell how many lines it has without showing them
      (hunks.length === 0 && added + removed > 0) ||
      (oldMode !== undefined && oldMode !== newMode) ||
      hunks.some(({ lines }) =>
        lines.some((line) => /^[+-]/.test(line) && !isBlank(line.slice(1))),
      ),
  );
}
