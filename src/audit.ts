/**
 * The records of the audit log.
 *
 * @module
 */

export type { AuditEntry, AuditMark, AuditProblem, AuditRecord } from './ports/audit-chain.js';
