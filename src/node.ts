/**
 * What starts programs of this machine: tests, linters and other commands as judges, and git. Node only.
 *
 * @module
 */

export { type DiffsToApply, gitApplyCheck } from './git/apply-check.js';
export { gitDiff } from './git/git-diff.js';
export { gitFiles } from './git/git-files.js';
export { type SavedTrees, savedTrees } from './git/saved-trees.js';
export { command } from './reviewers/command/command.js';
export type { CommandOptions, CommandOutput } from './reviewers/command/command-options.js';
export { cspell } from './reviewers/command/cspell.js';
export { eslint } from './reviewers/command/eslint.js';
