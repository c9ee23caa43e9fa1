import { checkKeys } from '../core/options.js';
import { type Clock, systemClock } from '../ports/clock.js';
import {
  type ApprovalLabel,
  checkedLabels,
  checkOpenShare,
  countOf,
  firstCount,
} from './approval-label.js';
import { wealthForRisk } from './bets.js';
import { type Certificate, checkedCertificate } from './certificate.js';

export interface AuditCertificateOptions {
  readonly certificate: Certificate;
  /** Labels of a random sample of later approvals, the oldest first. */
  readonly labels: readonly ApprovalLabel[];
  /** The greatest probability of a false withdrawal. @default `delta` of the certificate */
  readonly delta?: number | undefined;
  /** Source of time. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** What {@link auditCertificate} returns. */
export interface CertificateAudit {
  /** The certificate, which may be withdrawn now. */
  readonly certificate: Certificate;
  readonly withdrawn: boolean;
  /** How many approvals were audited. */
  readonly n: number;
  /** How many of them are wrong. */
  readonly k: number;
}

/**
 * Withdraws a certificate if audited approvals show that more than its `alpha` are wrong. It may be
 * called after every label, with all labels so far: a certificate that still holds is withdrawn
 * with a probability of at most `delta`, however often one looks.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const { certificate, withdrawn } = auditCertificate({ certificate: known, labels });
 * ```
 */
export function auditCertificate(options: AuditCertificateOptions): CertificateAudit {
  checkKeys('auditCertificate', options, ['certificate', 'labels', 'delta', 'clock']);
  const certificate = checkedCertificate('certificate', options.certificate);
  const { delta = certificate.delta, clock = systemClock } = options;
  checkOpenShare('delta', delta);
  const labels = checkedLabels(options.labels, certificate.arrangement.digest);
  const { alpha } = certificate;
  // the bets reach 1 / delta
  const crossed = firstCount(labels, ({ n, k }) => wealthForRisk(n, k, alpha) >= 1 / delta);
  const withdrawn =
    certificate.withdrawn ?? (crossed && { at: new Date(clock.now()).toISOString(), ...crossed });
  return {
    certificate: { ...certificate, ...(withdrawn !== undefined && { withdrawn }) },
    withdrawn: withdrawn !== undefined,
    ...countOf(labels),
  };
}
