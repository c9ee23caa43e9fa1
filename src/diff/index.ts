/**
 * Parses diffs, and shortens them to a limit.
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
