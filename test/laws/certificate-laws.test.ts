import { describe, expect, it } from 'vitest';
import {
  type ApprovalLabel,
  type Certificate,
  certify,
  type JudgeVote,
  type RequireCertificateOptions,
  type RiskModel,
  requireCertificate,
  riskOfTexts,
} from '@/calibration/index.js';
import { criterion, definePipeline, type Policy } from '@/index.js';

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

const model: RiskModel = {
  rates: { a: { tpr: 0.9, tnr: 0.7 }, b: { tpr: 0.9, tnr: 0.7 } },
  betweenJudges: 0.98,
  withinJudge: 0.98,
  prior: 0.2,
  fix: 0.7,
  damage: 0.1,
};

/** Law: judges that see the same tell hardly more together than one of them. */
function knowsThatJudgesAreAlike(
  risk: (votes: readonly JudgeVote[], of: RiskModel) => number,
): void {
  const one = risk([{ judge: 'a', passed: true }], model);
  const six = risk(
    ['a', 'b', 'a', 'b', 'a', 'b'].map((judge) => ({ judge, passed: true })),
    model,
  );
  expect(six, 'copies were counted as witnesses').toBeGreaterThan(one * 0.7);
}

const riskOfVotes = (votes: readonly JudgeVote[], of: RiskModel): number =>
  riskOfTexts([{ id: 't', versions: [{ votes }] }], of).risk;

describe('certificates and risk', () => {
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

  it('alike judges tell hardly more than one', () => {
    knowsThatJudgesAreAlike(riskOfVotes);
  });

  it('saboteur: votes that are taken as independent break the law', () => {
    expect(() =>
      knowsThatJudgesAreAlike((votes, of) =>
        riskOfVotes(votes, { ...of, betweenJudges: 0, withinJudge: 0 }),
      ),
    ).toThrow('copies were counted as witnesses');
  });
});
