/**
 * Stores in files: runs, verdicts, lessons, checklists, attempts at tasks, workspace snapshots,
 * model answers and the audit log. Node only.
 *
 * @module
 */

export type { PruneOptions, PruneVerdictsOptions } from '../store-options.js';
export { folderWorkspace } from '../workspace/folder-workspace.js';
export { type PrunedWorkspace, pruneWorkspace } from '../workspace/prune-workspace.js';
export { fileAnswers, fileCassette } from './file-answers.js';
export { fileAttempts } from './file-attempts.js';
export { fileAudit } from './file-audit.js';
export { fileChecklists } from './file-checklists.js';
export { fileLessons } from './file-lessons.js';
export { fileStore } from './file-store.js';
export { fileVerdicts } from './file-verdicts.js';
export { pruneRuns, pruneVerdicts } from './prune.js';
export { type AuditVerification, type VerifyAuditOptions, verifyAudit } from './verify-audit.js';
