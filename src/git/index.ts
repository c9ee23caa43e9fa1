/**
 * Diffs of git repositories, and checks whether diffs apply. Node only; needs the command `git`.
 *
 * @module
 */
export { type ApplyCheckOptions, type DiffsToApply, gitApplyCheck } from './apply-check.js';
export type { ChangedFile } from './changed-files.js';
export { type GitDiffOptions, gitDiff } from './git-diff.js';
export { type GitFilesOptions, gitFiles } from './git-files.js';
export type { HiddenPath } from './ignore-rules.js';
export type { SavedTree } from './save-tree.js';
export {
  type SavedTrees,
  type SavedTreesOptions,
  savedTrees,
  type TreeFile,
} from './saved-trees.js';
