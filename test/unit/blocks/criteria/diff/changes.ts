import type { DiffFile } from '@/core/diff/diff-source.js';

/** Returns a file of a diff with one hunk, which begins at line 10. */
export function changed(path: string, hunk: string, about: Partial<DiffFile> = {}): DiffFile {
  const lines = hunk.split('\n');
  const count = (signs: string) => lines.filter(([sign = '']) => signs.includes(sign)).length;
  return {
    ...{ path, status: 'modified', binary: false, submodule: false, omitted: false, header: '' },
    ...{ added: count('+'), removed: count('-') },
    hunks: [
      {
        ...{
          header: '@@',
          oldStart: 10,
          oldLines: count(' -'),
          newStart: 10,
          newLines: count(' +'),
        },
        lines,
      },
    ],
    ...about,
  };
}

export function added(path: string, text: string): DiffFile {
  return changed(path, text.replace(/^/gm, '+'), { status: 'new' });
}

export function deleted(path: string, text: string): DiffFile {
  return changed(path, text.replace(/^/gm, '-'), { status: 'deleted' });
}
