/**
 * A review as a checklist: decompose the work into items, verify each, guide the fixes.
 *
 * @module
 */

export {
  type ChecklistItem,
  type ChecklistPhase,
  type ChecklistSeverity,
  type ChecklistState,
  ChecklistStateSchema,
} from '../../ports/checklist/checklist-state.js';
export { type ChecklistStore, memoryChecklists } from '../../ports/checklist/checklist-store.js';
export { decodeChecklist, encodeChecklist } from '../../ports/checklist/state-format.js';
export type { ChecklistDraft } from './checklist.js';
export { ChecklistGate } from './checklist-gate.js';
export type {
  ChecklistModule,
  ChecklistRule,
  DecomposeContext,
  ItemAnswer,
  VerifyContext,
} from './checklist-module.js';
export type { FixGuidance } from './checklist-text.js';
export { checklistVerdicts } from './checklist-verdict-store.js';
export type { ChecklistGateOptions } from './gate-settings.js';
export { ChecklistLoopState, type GateStatus } from './gate-status.js';
export {
  checklistModules,
  planDocs,
  postImplCode,
  postImplDoc,
} from './modules/checklist-modules.js';
export { modelChecklist } from './modules/model-checklist.js';
export { planCode } from './modules/plan-code.js';
export { planCompleteness } from './modules/plan-completeness.js';
export { reconciliation } from './modules/reconciliation.js';
export { type PlanDocument, PlanDocumentSchema, readPlan } from './plan/read-plan.js';
export { type SelectedItems, selectItems } from './plan/select-items.js';
export type { Decomposition, GateRun, GateVerification } from './run-gate.js';
