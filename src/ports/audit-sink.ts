import type { AuditEntry, AuditMark } from './audit-chain.js';

/** Records the decisions of people permanently. */
export interface AuditSink {
  /**
   * Resolves when the record is durable. A decision counts only after that. If the promise rejects,
   * nothing was decided.
   */
  readonly record: (entry: AuditEntry) => Promise<AuditMark>;
}
