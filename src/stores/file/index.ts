/**
 * Runs kept in a directory. Node only.
 *
 * @module
 */
export { type LessonFileOptions, lessonFile } from '../lesson-file.js';
export { type FileStoreOptions, fileStore } from './file-store.js';
export { type PruneOptions, pruneRuns } from './prune-runs.js';
