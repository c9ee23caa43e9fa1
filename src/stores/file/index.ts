/**
 * Runs, lessons, verdicts, states of a workspace and answers of models, kept in directories. Node only.
 *
 * @module
 */

export { type ChecklistFileOptions, fileChecklists } from '../../checklist-gate/file-checklists.js';
export { type FileLessonsOptions, fileLessons } from '../../lessons/file-lessons.js';
export { filePerson } from '../../people/file-person.js';
export { fileAttempts } from '../../task-review/file-attempts.js';
export { type FolderWorkspaceOptions, folderWorkspace } from '../workspace/folder-workspace.js';
export {
  type PrunedWorkspace,
  type PruneWorkspaceOptions,
  pruneWorkspace,
} from '../workspace/prune-workspace.js';
export { fileAnswers } from './answer-folder.js';
export { type FileAuditOptions, fileAudit } from './audit-file.js';
export { fileCassette } from './cassette-file.js';
export { type FileStoreOptions, fileStore } from './file-store.js';
export { type PruneOptions, pruneRuns } from './prune-runs.js';
export { type PruneVerdictsOptions, pruneVerdicts } from './prune-verdicts.js';
export { fileVerdicts } from './verdict-files.js';
export { type AuditVerification, type VerifyAuditOptions, verifyAudit } from './verify-audit.js';
