import type { AuditEntry, AuditMark } from './audit-chain.js';

/** Where decisions of people are recorded for good. */
export interface AuditSink {
  /** Resolves when the record will survive. A decision of a person only counts after that; when it rejects, nothing was decided. */
  readonly record: (entry: AuditEntry) => Promise<AuditMark>;
}
