/**
 * What starts programs of this machine: tests, linters and other commands as judges, and git. Node only.
 *
 * @module
 */

export { command } from './blocks/reviewers/command/command.js';
export type { CommandOptions, CommandOutput } from './blocks/reviewers/command/command-options.js';
export { cspell } from './blocks/reviewers/command/cspell.js';
export { eslint } from './blocks/reviewers/command/eslint.js';
export { type DiffsToApply, gitApplyCheck } from './node/git/apply-check.js';
export { gitDiff } from './node/git/git-diff.js';
export { gitFiles } from './node/git/git-files.js';
export { type SavedTrees, savedTrees } from './node/git/saved-trees.js';
