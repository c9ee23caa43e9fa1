/**
 * Runs, lessons, verdicts, states of a workspace and answers of models, kept in directories. Node only.
 *
 * @module
 */

export { type ChecklistFileOptions, checklistFile } from '../../checklist-gate/file-checklists.js';
export { type LessonFileOptions, lessonFile } from '../../lessons/file-lessons.js';
export { filePerson } from '../../people/file-person.js';
export { attemptFiles } from '../../task-review/file-attempts.js';
export { type FolderWorkspaceOptions, folderWorkspace } from '../workspace/folder-workspace.js';
export {
  type PrunedWorkspace,
  type PruneWorkspaceOptions,
  pruneWorkspace,
} from '../workspace/prune-workspace.js';
export { answerFolder } from './answer-folder.js';
export { type AuditFileOptions, auditFile } from './audit-file.js';
export { cassetteFile } from './cassette-file.js';
export { type FileStoreOptions, fileStore } from './file-store.js';
export { type PruneOptions, pruneRuns } from './prune-runs.js';
export { type PruneVerdictsOptions, pruneVerdicts } from './prune-verdicts.js';
export { verdictFiles } from './verdict-files.js';
export { type AuditVerification, type VerifyAuditOptions, verifyAudit } from './verify-audit.js';
