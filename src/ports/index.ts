/**
 * Types and defaults for your own store, clock, limiter or audit log; diffs; and texts without secrets.
 *
 * @module
 */

export type { Diff, DiffFile, DiffSource, FileSource } from '../core/diff/diff-source.js';
export { type FittedDiff, fitDiff } from '../core/diff/fit-diff.js';
export { parseDiff } from '../core/diff/parse-diff.js';
export type { ReviewEventName } from '../core/event.js';
export { digestOf } from '../core/json.js';
export { redactJson } from '../core/redact/redact-json.js';
export { redactJsonAsync, redactSecretsAsync } from '../core/redact/redact-with-secretlint.js';
export { redactSecrets } from '../core/redact/secrets.js';
export type { Around, Span, SpanEnd } from '../core/span.js';
export type { ModelCall } from '../core/step.js';
export type { RequestReference, VersionReference } from '../engine/human-answers.js';
export type { AuditEntry, AuditRecord } from './audit-chain.js';
export { systemClock } from './clock.js';
export type { LearnableRun } from './lesson-store.js';
export { systemRandom } from './random.js';
export type {
  Journal,
  JournalRecord,
  OrphanPage,
  OrphanQuery,
  OrphanRun,
  RunQuery,
  RunSummary,
  WaitingPage,
  WaitingQuery,
  WaitingRun,
} from './store.js';
export { type StoredVerdict, type VerdictInputs, verdictKey } from './verdict-store.js';
export type { WorkspaceClaim } from './workspace.js';
