import type { DiffFile } from '@/core/diff/diff-source.js';

/** A modified text file of a diff, without hunks. */
export function diffFile(path: string, more: Partial<DiffFile> = {}): DiffFile {
  return {
    ...{ path, status: 'modified', added: 1, removed: 0, binary: false, submodule: false },
    ...{ header: `diff --git a/${path} b/${path}\n`, hunks: [], omitted: false },
    ...more,
  };
}
