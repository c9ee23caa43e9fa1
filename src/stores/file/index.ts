/**
 * Runs kept in a directory. Node only.
 *
 * @module
 */
export { type FileStoreOptions, fileStore } from './file-store.js';
export { type PruneOptions, pruneRuns } from './prune-runs.js';
