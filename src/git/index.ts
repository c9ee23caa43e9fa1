/**
 * Diffs of git repositories. Node only; needs the command `git`.
 *
 * @module
 */
export { type GitDiffOptions, gitDiff } from './git-diff.js';
export { type GitFilesOptions, gitFiles } from './git-files.js';
