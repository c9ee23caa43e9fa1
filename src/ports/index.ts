/**
 * Types and helpers for your own store, clock, limiter or workspace.
 *
 * @module
 */

export type { EventCost, EventPlace, WorkEnd } from '../core/event.js';
export { digestOf } from '../core/json.js';
export type { ModelCall, ModelQuestion, ModelReply } from '../core/model-call.js';
export type {
  AddressSpan,
  Around,
  EndPlace,
  ModelSpan,
  ProduceSpan,
  ReviewerSpan,
  ReviewSpan,
  RunSpan,
  Span,
  SpanEnd,
  SpanPlace,
  WaitSpan,
} from '../core/span.js';
export type { BudgetReservation, CheckCall, ReviewBudget, StepAttempt } from '../core/step.js';
export type { Version } from '../core/version.js';
export { systemClock } from './clock.js';
export type { LearnableRun } from './lesson-store.js';
export type { LimiterOptions } from './limiter.js';
export type { MemoryVerdictsOptions } from './memory-verdicts.js';
export { systemRandom } from './random.js';
export type {
  AnswerRecord,
  AttemptRecord,
  EndRecord,
  Journal,
  JournalRecord,
  OrphanPage,
  OrphanQuery,
  OrphanRun,
  RequestRecord,
  RunQuery,
  RunRecord,
  RunSummary,
  StepRecord,
  WaitingPage,
  WaitingQuery,
  WaitingRun,
} from './store.js';
export { type StoredVerdict, type VerdictInputs, verdictKey } from './verdict-store.js';
export type { WorkspaceClaim } from './workspace.js';
