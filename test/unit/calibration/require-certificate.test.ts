import { describe, expect, it } from 'vitest';
import {
  type Arrangement,
  arrangementDigest,
  auditCertificate,
  type Certificate,
  certify,
  requireCertificate,
} from '../../../src/calibration/index.js';
import { criterion, definePipeline, thresholds } from '../../../src/index.js';
import { evidenceOf, fail, pass } from '../policies/fixtures.js';
import { arrangement, certificateOf, clockAt, labelsOf } from './certificate-fixtures.js';

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

  it.each([
    [
      'another prompt or model',
      {},
      { judges: judges.map((judge) => ({ ...judge, version: 'prompt 2' })) },
      'clear has another prompt, model or rule',
    ],
    [
      'a new judge',
      {},
      { judges: [...judges, { id: 'b', version: '1', tier: 'model' as const }] },
      'b is new',
    ],
    ['a missing judge', {}, { judges: judges.slice(0, 1) }, 'links is gone'],
    [
      'another tier',
      {},
      { judges: judges.map((judge) => ({ ...judge, tier: 'confirm' as const })) },
      'clear is in another tier',
    ],
    [
      'other options of the policy',
      { rules: { name: 'thresholds', options: { quality: 0.5 } } },
      {},
      'the policy was thresholds',
    ],
    ['other tasks', { tasks: 'poems' }, {}, 'the tasks were "release notes", and are "poems"'],
    ['tasks without a name', { tasks: undefined }, {}, 'and are not named'],
  ])('does not accept a certificate of another arrangement: %s', (_, more, changes, reason) => {
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
