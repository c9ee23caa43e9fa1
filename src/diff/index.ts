/**
 * Reading diffs, and fitting them into a bound.
 *
 * @module
 */

export type {
  Diff,
  DiffFile,
  DiffHunk,
  DiffRequest,
  DiffSource,
  DiffStatus,
} from './diff-source.js';
export type { FileSource } from './file-source.js';
export { type FittedDiff, fitDiff, type OmittedFile } from './fit-diff.js';
export { parseDiff } from './parse-diff.js';
