import { type Clock, systemClock } from '@/ports/clock.js';
import type { Arrangement } from '@/products/calibration/certificate.js';
import { type ApprovalLabel, type Certificate, certify } from '@/products/calibration/index.js';

export const arrangement: Arrangement = {
  judges: [
    { id: 'clear', version: 'prompt 1', tier: 'model' },
    { id: 'links', version: '1', tier: 'code' },
  ],
  rules: { name: 'thresholds', options: { quality: 0.8 } },
  tasks: 'release notes',
};

/** The first `wrong` of `all` approvals are wrong. */
export function labelsOf(all: number, wrong = 0): ApprovalLabel[] {
  return Array.from({ length: all }, (_, index) => ({
    id: `run ${index}`,
    label: index < wrong ? 'fail' : 'pass',
  }));
}

export const clockAt = (at: string): Clock => ({ ...systemClock, now: () => Date.parse(at) });

export function certificateOf(changes: Partial<Parameters<typeof certify>[0]> = {}): Certificate {
  const result = certify({ labels: labelsOf(60), arrangement, ...changes });
  if (!result.certified) throw new Error(result.reason);
  return result.certificate;
}
