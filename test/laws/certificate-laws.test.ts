import { describe, expect, it } from 'vitest';
import { criterion, definePipeline, type Policy } from '@/index.js';
import {
  type ApprovalLabel,
  type Certificate,
  certify,
  requireCertificate,
} from '@/products/calibration/index.js';
import { seededRandom } from '@/products/calibration/interval.js';
import type { RequireCertificateOptions } from '@/products/calibration/require-certificate.js';

const labelsOf = (wrong: number): ApprovalLabel[] =>
  Array.from({ length: 60 }, (_, index) => ({
    id: `${index}`,
    label: index < wrong ? 'fail' : 'pass',
  }));

/** Law: a certificate counts for the arrangement that was labelled, and for no other. */
async function countsForItsArrangement(
  require: (options: RequireCertificateOptions) => Policy,
): Promise<void> {
  const run = (version: string, certificates: readonly Certificate[]) =>
    definePipeline<string, string>({
      produce: async () => 'a text',
      reviewers: [criterion('short', () => true, { version })],
      policy: require({ certificates }),
    }).run('write');
  const asked = await run('1', []);
  expect(asked.status, 'approved without a certificate').toBe('suspended');
  const [arrangement = ''] = /[0-9a-f]{64}/.exec(asked.reason) ?? [];
  const result = certify({ labels: labelsOf(0), arrangement });
  if (!result.certified) throw new Error(result.reason);
  expect((await run('1', [result.certificate])).status).toBe('approved');
  const other = await run('2', [result.certificate]);
  expect(other.status, 'approved under the certificate of another').toBe('suspended');
}

/** Law: a wrong approval counts against a certificate. */
function countsWrongApprovals(test: typeof certify): void {
  const arrangement = 'a'.repeat(64);
  expect(test({ labels: labelsOf(0), arrangement }).certified).toBe(true);
  expect(test({ labels: labelsOf(30), arrangement }).certified, 'half is wrong').toBe(false);
}

/** Law: at the border, a test certifies what it should not in at most a share of `delta`. */
function isSeldomFalse(test: typeof certify, streams = 2000): void {
  const [delta, alpha] = [0.1, 0.1];
  const arrangement = 'a'.repeat(64);
  for (const method of ['fixed', 'sequential'] as const) {
    const next = seededRandom(method === 'fixed' ? 5 : 6);
    let certified = 0;
    for (let stream = 0; stream < streams; stream += 1) {
      const labels = Array.from({ length: 100 }, (_, index): ApprovalLabel => {
        const label = next() < alpha ? 'fail' : 'pass';
        return { id: `${index}`, label };
      });
      if (test({ labels, arrangement, alpha, delta, method }).certified) certified += 1;
    }
    const error = Math.sqrt((delta * (1 - delta)) / streams);
    expect(certified / streams, 'too many false certificates').toBeLessThan(delta + 1.5 * error);
    expect(certified).toBeGreaterThan(0);
  }
}

describe('certificates', () => {
  it('a certificate counts for its arrangement only', async () => {
    await countsForItsArrangement(requireCertificate);
  });

  it('saboteur: a policy that accepts any certificate breaks the law', async () => {
    const anyOf = ({ certificates, ...more }: RequireCertificateOptions): Policy => {
      const strict = requireCertificate({ certificates: [], ...more });
      return (evidence) =>
        certificates.length > 0 ? { kind: 'approve', reason: 'certified' } : strict(evidence);
    };
    await expect(countsForItsArrangement(anyOf)).rejects.toThrow(
      'approved under the certificate of another',
    );
  });

  it('wrong approvals count against a certificate', () => {
    countsWrongApprovals(certify);
  });

  it('saboteur: a test that takes a failure as a pass breaks the law', () => {
    const blind: typeof certify = (options) =>
      certify({ ...options, labels: options.labels.map(({ id }) => ({ id, label: 'pass' })) });
    expect(() => countsWrongApprovals(blind)).toThrow('half is wrong');
  });

  it('certificates at the border are false in no more than a share of delta, also after every label [R3-011]', () => {
    isSeldomFalse(certify);
  });

  it('saboteur: a test of a fixed sample after every tenth label breaks the law', () => {
    const peeking: typeof certify = ({ labels, ...more }) => {
      for (let all = 20; all < labels.length; all += 10) {
        const found = certify({ ...more, method: 'fixed', labels: labels.slice(0, all) });
        if (found.certified) return found;
      }
      return certify({ ...more, labels });
    };
    expect(() => isSeldomFalse(peeking, 500)).toThrow('too many false certificates');
  });
});
