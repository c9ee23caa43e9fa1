import fc from 'fast-check';
import { binomialDistribution } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { criterion, definePipeline, thresholds } from '@/index.js';
import { type Arrangement, arrangementDigest } from '@/products/calibration/certificate.js';
import {
  binomialShare,
  exactLowerBound,
  exactUpperBound,
  labelsNeeded,
  shows,
  wealthAgainstRisk,
  wealthForRisk,
} from '@/products/calibration/certified-test.js';
import type { NotCertified } from '@/products/calibration/certify.js';
import {
  auditCertificate,
  type Certificate,
  CertificateSchema,
  certify,
  requireCertificate,
} from '@/products/calibration/index.js';
import { seededRandom } from '@/products/calibration/interval.js';
import { evidenceOf, fail, pass } from '../../engine/policies/fixtures.js';
import { arrangement, certificateOf, clockAt, labelsOf } from './certificate-fixtures.js';

fc.configureGlobal({ seed: 41, numRuns: 200 });

const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const refused = (options: Partial<Parameters<typeof certify>[0]>): NotCertified => {
  const result = certify({ labels: labelsOf(1), arrangement, ...options });
  if (result.certified) throw new Error('certified');
  return result;
};

describe('the binomial distribution', () => {
  it('agrees with simple-statistics', () => {
    for (const n of [1, 7, 50, 150])
      for (const p of [0.01, 0.1, 0.5, 0.93]) {
        const terms = binomialDistribution(n, p) ?? [];
        for (let k = 0; k < Math.min(n, terms.length); k += 1) {
          const sum = terms.slice(0, k + 1).reduce((all, term) => all + term, 0);
          // simple-statistics leaves out terms below 0.0001 in all
          expect(Math.abs(binomialShare(n, k, p) - sum)).toBeLessThan(2e-4);
        }
      }
  });

  it('stays exact where its terms underflow', () => {
    expect(binomialShare(1_000_000, 500_000, 0.5)).toBeCloseTo(0.5004, 4);
    expect(binomialShare(100_000, 10_000, 0.9)).toBe(0);
    expect(binomialShare(10, 10, 0.3)).toBe(1);
    expect([binomialShare(5, 0, 0), binomialShare(5, 4, 1)]).toEqual([1, 0]);
  });

  it.each([
    // sizes of one-sided samples with k wrong ones (Wilks 1941; success-run tables)
    { alpha: 0.1, delta: 0.1, sizes: [22, 38, 52, 65, 78, 91] },
    { alpha: 0.05, delta: 0.05, sizes: [59, 93, 124, 153, 181, 208] },
    { alpha: 0.05, delta: 0.1, sizes: [45, 77, 105] },
    { alpha: 0.01, delta: 0.05, sizes: [299, 473] },
  ])(
    'gives the published sample sizes of alpha $alpha, delta $delta',
    ({ alpha, delta, sizes }) => {
      sizes.forEach((size, k) => {
        expect(shows('fixed', { n: size, k, alpha, delta })).toBe(true);
        expect(shows('fixed', { n: size - 1, k, alpha, delta })).toBe(false);
      });
    },
  );

  it('gives published bounds of Clopper and Pearson', () => {
    // two-sided 95 %: 0 of 10 and 2 of 20
    expect(exactUpperBound(10, 0, 0.025)).toBeCloseTo(0.3085, 4);
    expect(exactLowerBound(20, 2, 0.025)).toBeCloseTo(0.0123, 4);
    expect(exactUpperBound(20, 2, 0.025)).toBeCloseTo(0.317, 4);
    expect([exactUpperBound(5, 5, 0.1), exactLowerBound(5, 0, 0.1)]).toEqual([1, 0]);
  });
});

describe('certify', () => {
  it('certifies 22 right approvals at the defaults, and not 21', () => {
    expect(certify({ labels: labelsOf(22), arrangement }).certified).toBe(true);
    const result = refused({ labels: labelsOf(21) });
    expect(result).toMatchObject({ n: 21, k: 0, labelsNeeded: 22, hopeless: false });
    expect(result.reason).toBe(
      '0 of 21 approvals are wrong; at confidence 0.9 up to 0.104 may be, above alpha 0.1; ' +
        'a new sample of about 22 labels could certify it at this rate; only the sequential method may add labels to these',
    );
  });

  it('returns a certificate as plain JSON, bound to the arrangement', () => {
    const certificate = certificateOf({ clock: clockAt('2026-01-02T03:04:05Z') });
    expect(certificate).toMatchObject({
      schema: 1,
      at: '2026-01-02T03:04:05.000Z',
      method: 'fixed',
      n: 60,
      k: 0,
      alpha: 0.1,
      delta: 0.1,
      arrangement: { digest: arrangementDigest(arrangement), of: arrangement },
    });
    expect(certificate.upperBound).toBeCloseTo(1 - 0.1 ** (1 / 60), 9);
    expect(CertificateSchema.parse(JSON.parse(JSON.stringify(certificate)))).toEqual(certificate);
  });

  it('counts a failure as a wrong approval, never as a pass', () => {
    expect(refused({ labels: labelsOf(60, 60) })).toMatchObject({ k: 60, hopeless: true });
    expect(refused({ labels: labelsOf(30, 1) })).toMatchObject({ n: 30, k: 1 });
  });

  it('says how many labels could decide, and when no number could', () => {
    expect(refused({ labels: labelsOf(50, 2) }).labelsNeeded).toBe(65);
    expect(refused({ labels: labelsOf(20, 2) })).toMatchObject({
      labelsNeeded: undefined,
      hopeless: false,
      reason: expect.stringContaining('no number of labels could certify it at this rate'),
    });
    expect(refused({ labels: labelsOf(100, 30) })).toMatchObject({
      labelsNeeded: undefined,
      hopeless: true,
      reason: expect.stringContaining('change the arrangement'),
    });
    expect(refused({ labels: labelsOf(100_000, 9990) })).toMatchObject({
      labelsNeeded: undefined,
      reason: expect.stringContaining('more than a million labels'),
    });
    const sequential = refused({ labels: labelsOf(30, 1), method: 'sequential' });
    expect(sequential.reason).toMatch(/about \d+ more could certify it at this rate/);
  });

  it('is monotone in k, alpha and delta', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(300), share, share, (n, wrong, a, b) => {
        const k = Math.min(wrong, n);
        for (const method of ['fixed', 'sequential'] as const) {
          if (!shows(method, { n, k, alpha: a, delta: b })) continue;
          if (k > 0) expect(shows(method, { n, k: k - 1, alpha: a, delta: b })).toBe(true);
          expect(shows(method, { n, k, alpha: Math.min(0.999, a * 1.2), delta: b })).toBe(true);
          expect(shows(method, { n, k, alpha: a, delta: Math.min(0.999, b * 1.2) })).toBe(true);
          expect(shows(method, { n: n + 1, k, alpha: a, delta: b })).toBe(true);
        }
      }),
    );
  });

  it('needs as many labels as it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(6), (n, wrong) => {
        const k = Math.min(wrong, n);
        for (const method of ['fixed', 'sequential'] as const) {
          const needed = labelsNeeded(method, { n, k, alpha: 0.2, delta: 0.1 });
          if (needed === undefined) continue;
          const then = { n: needed, k: Math.ceil((k / n) * needed - 1e-9), alpha: 0.2, delta: 0.1 };
          expect(shows(method, then)).toBe(true);
        }
      }),
    );
  });

  it.each([0.05, 0.1, 0.3])(
    'certifies falsely at most delta in 2000 certifications at a share of %d',
    (alpha) => {
      const random = seededRandom(5);
      const cells = [0.05, 0.1].flatMap((delta) =>
        [50, 150, 500].map((size) => ({ delta, size, fixed: 0, sequential: 0 })),
      );
      for (let run = 0; run < 2000; run += 1) {
        let k = 0;
        let highest = 0;
        for (let n = 1; n <= 500; n += 1) {
          if (random() < alpha) k += 1;
          // from alpha on, the bets are worth less than 1 (Jensen)
          if (k < alpha * n) highest = Math.max(highest, wealthAgainstRisk(n, k, alpha));
          for (const cell of cells) {
            if (cell.size !== n) continue;
            if (shows('fixed', { n, k, alpha, delta: cell.delta })) cell.fixed += 1;
            if (highest >= 1 / cell.delta) cell.sequential += 1;
          }
        }
      }
      for (const { delta, fixed, sequential } of cells) {
        expect(fixed / 2000).toBeLessThanOrEqual(delta);
        expect(sequential / 2000).toBeLessThanOrEqual(delta);
      }
    },
    20_000,
  );

  it('would certify falsely far more often than delta if one looked after every label without a bet', () => {
    const random = seededRandom(5);
    let wrong = 0;
    for (let run = 0; run < 500; run += 1) {
      let k = 0;
      let ever = false;
      for (let draw = 1; draw <= 300; draw += 1) {
        if (random() < 0.1) k += 1;
        ever ||= shows('fixed', { n: draw, k, alpha: 0.1, delta: 0.1 });
      }
      if (ever) wrong += 1;
    }
    expect(wrong / 500).toBeGreaterThan(0.2);
  });

  it.each([
    [{ labels: [] }, /`labels`.*at least one/],
    [{ labels: 'x' }, /`labels`/],
    [{ labels: [undefined] }, /`labels\[0\]`/],
    [{ labels: [{ id: 1, label: 'pass' }] }, /`labels\[0\]\.id`/],
    [{ labels: [{ id: 'a', label: 'good' }] }, /`labels\[0\]\.label`/],
    [{ labels: [...labelsOf(2), ...labelsOf(1)] }, /`labels\[2\]\.id`.*unique/],
    [{ labels: [{ id: 'a', label: 'pass', arrangement: 'x' }] }, /`labels\[0\]\.arrangement`/],
    [{ alpha: 0 }, /`alpha`/],
    [{ alpha: 1 }, /`alpha`/],
    [{ alpha: Number.NaN }, /`alpha`/],
    [{ delta: 1e9 }, /`delta`/],
    [{ delta: '0.1' }, /`delta`/],
    [{ method: 'often' }, /`method`/],
    [{ arrangement: 'abc' }, /`arrangement`/],
    [{ arrangement: { ...arrangement, judges: [] } }, /`arrangement`/],
    [{ arrangement: undefined }, /`arrangement`/],
    [
      { arrangement: { ...arrangement, judges: [...arrangement.judges, ...arrangement.judges] } },
      /`arrangement\.judges`.*unique/,
    ],
    [{ more: 1 }, /no option `more`/],
  ])('refuses %j', (changes, message) => {
    expect(() => certify({ labels: labelsOf(30), arrangement, ...changes } as never)).toThrow(
      message,
    );
  });

  it('refuses more than a million labels', () => {
    expect(() =>
      certify({ labels: new Array(1_000_001).fill({ id: 'a', label: 'pass' }), arrangement }),
    ).toThrow(/at most 1000000/);
  });
});

describe('sequential certification', () => {
  it('takes 36 labels if none is wrong, at the defaults', () => {
    expect(certificateOf({ labels: labelsOf(100), method: 'sequential' }).n).toBe(36);
  });

  it('certifies at the first label that shows it, and stays certified', () => {
    const labels = labelsOf(200);
    const first = certificateOf({ labels, method: 'sequential' });
    expect(first.n).toBeLessThan(60);
    expect(certificateOf({ labels: labels.slice(0, first.n), method: 'sequential' }).n).toBe(
      first.n,
    );
    expect(
      certify({ labels: labels.slice(0, first.n - 1), arrangement, method: 'sequential' })
        .certified,
    ).toBe(false);
    const later = [
      ...labels,
      ...labelsOf(80, 80).map((label) => ({ ...label, id: `b${label.id}` })),
    ];
    expect(certificateOf({ labels: later, method: 'sequential' })).toMatchObject({
      n: first.n,
      k: 0,
    });
    expect(first.upperBound).toBeLessThanOrEqual(0.1);
  });

  it('takes a median of about 75 labels at a true share of 0.034', () => {
    const random = seededRandom(9);
    const needed = Array.from({ length: 1000 }, () => {
      let k = 0;
      let n = 0;
      while (n < 2000) {
        n += 1;
        if (random() < 0.034) k += 1;
        if (wealthAgainstRisk(n, k, 0.1) >= 10) break;
      }
      return n;
    }).sort((a, b) => a - b);
    expect(needed[500]).toBeGreaterThan(60);
    expect(needed[500]).toBeLessThan(90);
  });
});

describe('auditCertificate', () => {
  const certificate = certificateOf({ clock: clockAt('2026-01-01T00:00:00Z') });
  const clock = clockAt('2026-02-01T00:00:00Z');

  it('keeps a certificate whose audited approvals are right', () => {
    const labels = labelsOf(300).map((label, index) =>
      index % 15 === 14 ? { ...label, label: 'fail' as const } : label,
    );
    expect(auditCertificate({ certificate, labels, clock })).toEqual({
      certificate,
      withdrawn: false,
      n: 300,
      k: 20,
    });
  });

  it('withdraws one once the bets reach 1 / delta, for good', () => {
    const bad = auditCertificate({ certificate, labels: labelsOf(40, 10), clock });
    expect(bad).toMatchObject({ withdrawn: true, n: 40, k: 10 });
    expect(bad.certificate.withdrawn).toMatchObject({ at: '2026-02-01T00:00:00.000Z' });
    const again = auditCertificate({ certificate: bad.certificate, labels: labelsOf(300) });
    expect(again.certificate.withdrawn).toEqual(bad.certificate.withdrawn);
  });

  it('withdraws a certificate that holds in at most delta of 2000 audits, and a false one soon', () => {
    const withdrawals = (truth: number): (number | undefined)[] => {
      const random = seededRandom(11);
      return Array.from({ length: 2000 }, () => {
        let k = 0;
        for (let n = 1; n <= 400; n += 1) {
          if (random() < truth) k += 1;
          if (wealthForRisk(n, k, 0.1) >= 10) return n;
        }
        return undefined;
      });
    };
    expect(withdrawals(0.1).filter((n) => n !== undefined).length / 2000).toBeLessThanOrEqual(0.1);
    const soon = withdrawals(0.2)
      .map((n) => n ?? 400)
      .sort((a, b) => a - b);
    expect(soon[1000]).toBeLessThan(90);
  });

  it.each([
    [{ ...certificate, k: 30 }, /whose labels show alpha 0.1/],
    [{ ...certificate, k: 61 }, /whose labels show/],
    [{ ...certificate, alpha: 0.01 }, /whose labels show/],
    [{ ...certificate, upperBound: 0.001 }, /upperBound/],
    [{ ...certificate, n: 2_000_000_000 }, /a certificate/],
    [{ ...certificate, at: 'yesterday' }, /a certificate/],
    [
      { ...certificate, arrangement: { ...certificate.arrangement, digest: 'a'.repeat(64) } },
      /digest/,
    ],
    [undefined, /a certificate/],
  ])('refuses a certificate that does not fit itself %#', (given, message) => {
    expect(() => auditCertificate({ certificate: given as never, labels: labelsOf(3) })).toThrow(
      message,
    );
  });
});

const { rules, tasks, judges } = arrangement;
const policyOf = (
  certificates: readonly Certificate[],
  more: Partial<Parameters<typeof requireCertificate>[0]> = {},
) => requireCertificate({ certificates, policy: thresholds(), rules, tasks, ...more });
const approving = (changes: Partial<Arrangement> = {}) =>
  evidenceOf([pass('clear'), pass('links')], { judges: changes.judges ?? judges });
const reasonOf = (
  certificates: readonly Certificate[],
  more: Partial<Parameters<typeof requireCertificate>[0]> = {},
  changes: Partial<Arrangement> = {},
): string => {
  const decision = policyOf(certificates, more)(approving(changes));
  expect(decision?.kind).toBe('ask');
  return decision?.reason ?? '';
};

describe('requireCertificate', () => {
  it('approves under a certificate of the very arrangement, in any order of its judges', () => {
    expect(policyOf([certificateOf()])(approving())?.kind).toBe('approve');
    const turned = [...judges].reverse();
    expect(policyOf([certificateOf()])(approving({ judges: turned }))?.kind).toBe('approve');
    expect(
      policyOf([certificateOf({ arrangement: arrangementDigest(arrangement) })])(approving())?.kind,
    ).toBe('approve');
    expect(policyOf([certificateOf({ method: 'sequential' })])(approving())?.kind).toBe('approve');
  });

  it('asks without a certificate, and names the arrangement', () => {
    expect(reasonOf([])).toBe(`no certificate of arrangement ${arrangementDigest(arrangement)}`);
  });

  const each = (change: Partial<Arrangement['judges'][number]>) =>
    judges.map((judge) => ({ ...judge, ...change }));
  const added = { id: 'b', version: '1', tier: 'model' } as const;
  const other = { name: 'thresholds', options: { quality: 0.5 } };
  it.each<[string, string, Partial<Arrangement>, Parameters<typeof reasonOf>[1]?]>([
    [
      'a prompt or model',
      'clear has another prompt, model or rule',
      { judges: each({ version: '2' }) },
    ],
    ['a new judge', 'b is new', { judges: [...judges, added] }],
    ['a missing judge', 'links is gone', { judges: judges.slice(0, 1) }],
    ['another tier', 'clear is in another tier', { judges: each({ tier: 'confirm' }) }],
    ['other options of the policy', 'the policy was thresholds', {}, { rules: other }],
    ['other tasks', 'the tasks were "release notes", and are "poems"', {}, { tasks: 'poems' }],
    ['tasks without a name', 'and are not named', {}, { tasks: undefined }],
  ])('does not accept a certificate of another arrangement: %s', (_, reason, changes, more) => {
    const said = reasonOf([certificateOf()], more, changes);
    expect(said).toContain('the certificate is void, because it is of another arrangement');
    expect(said).toContain(reason);
  });

  it('asks for a weaker certificate than it requires', () => {
    expect(reasonOf([certificateOf()], { alpha: 0.05 })).toBe(
      'the certificate shows alpha 0.1 and delta 0.1; alpha 0.05 and delta 0.1 are required',
    );
    expect(reasonOf([certificateOf()], { delta: 0.01 })).toContain('delta 0.01 are required');
    const strong = certificateOf({ labels: labelsOf(300), alpha: 0.01, delta: 0.05 });
    expect(policyOf([certificateOf(), strong], { alpha: 0.02 })(approving())?.kind).toBe('approve');
  });

  it('asks after a withdrawal, also under an older certificate, until a newer one', () => {
    const old = certificateOf({ clock: clockAt('2026-01-01T00:00:00Z') });
    const other = certificateOf({
      labels: labelsOf(90, 1),
      clock: clockAt('2026-01-15T00:00:00Z'),
    });
    const { certificate: withdrawn } = auditCertificate({
      certificate: old,
      labels: labelsOf(40, 20),
      clock: clockAt('2026-02-01T00:00:00Z'),
    });
    expect(reasonOf([withdrawn])).toMatch(
      /^the certificate was withdrawn at 2026-02-01T00:00:00.000Z: \d+ of \d+ audited approvals are wrong$/,
    );
    expect(reasonOf([withdrawn, other])).toContain('was withdrawn');
    const newer = certificateOf({ clock: clockAt('2026-03-01T00:00:00Z') });
    expect(policyOf([withdrawn, other, newer])(approving())?.kind).toBe('approve');
  });

  it('leaves other decisions alone, and escalates instead of asking where told', () => {
    expect(policyOf([])(evidenceOf([fail('clear')], { judges }))?.kind).toBe('revise');
    expect(policyOf([], { otherwise: 'escalate' })(approving())).toMatchObject({
      kind: 'stop',
      status: 'escalated',
      code: 'not_certified',
    });
    expect(policyOf([certificateOf()])(evidenceOf([pass('clear')]))?.reason).toBe(
      'the judges are unknown',
    );
  });

  it('works as a user would: refused, labelled by its digest, certified, and void after a change', async () => {
    const pipeline = (certificates: readonly Certificate[], version: string) =>
      definePipeline<string, string>({
        produce: async () => 'a text',
        reviewers: [criterion('short', () => true, { version })],
        policy: requireCertificate({ certificates, tasks: 'notes' }),
      }).run('write');
    const first = await pipeline([], '1');
    expect(first.status).toBe('suspended');
    const [digest = ''] = /[0-9a-f]{64}/.exec(first.reason) ?? [];
    const result = certify({ labels: labelsOf(40), arrangement: digest });
    if (!result.certified) throw new Error(result.reason);
    expect((await pipeline([result.certificate], '1')).status).toBe('approved');
    const changed = await pipeline([result.certificate], '2');
    expect([changed.status, changed.reason]).toEqual([
      'suspended',
      expect.stringContaining('of another arrangement'),
    ]);
  });

  it.each([
    [{ certificates: undefined }, /`certificates`/],
    [{ certificates: [{}] }, /`certificates\[0\]`/],
    [{ certificates: [{ ...certificateOf(), k: 59 }] }, /`certificates\[0\]`/],
    [{ certificates: [{ ...certificateOf(), withdrawnn: { n: 5 } }] }, /withdrawnn/],
    [{ certificates: [], policy: thresholds() }, /`rules`/],
    [{ certificates: [], rules }, /`rules`.*absent/],
    [{ certificates: [], policy: 'x', rules }, /`policy`/],
    [{ certificates: [], alpha: 0 }, /`alpha`/],
    [{ certificates: [], delta: 2 }, /`delta`/],
    [{ certificates: [], tasks: '' }, /`tasks`/],
    [{ certificates: [], otherwise: 'approve' }, /`otherwise`/],
    [{ certificates: [], more: 1 }, /no option `more`/],
  ])('refuses wrong options %#', (options, message) => {
    expect(() => requireCertificate(options as never)).toThrow(message);
  });
});
