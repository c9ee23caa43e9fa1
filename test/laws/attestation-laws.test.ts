import { describe, expect, it } from 'vitest';
import { type AttestedRun, attestation } from '@/faces/reports/attestation/attestation.js';
import { type Outcome, thresholds } from '@/index.js';
import { attestedRun } from '../support/attested-run.js';
import { withCode } from '../support/matchers.js';
import { throwing } from '../support/throwing.js';

const unapproved = await attestedRun({ policy: thresholds({ quality: 1 }) });
const approved = await attestedRun();
const broken = await attestedRun({
  first: throwing('the judge broke'),
});
const { run } = approved;
const { report, records } = run;
const best = (more: object) => report.reviews.map((review) => ({ ...review, ...more }));
const ends = (status: string) =>
  records.map((record) => (record.type === 'end' ? { ...record, status } : record));

const runs: readonly (readonly [string, AttestedRun])[] = [
  ['not approved', unapproved.run],
  ['not approved, and called so', { ...unapproved.run, report: { ...report, runId: 'run-1' } }],
  ['with a judge that failed', broken.run],
  ['with a judge that failed, and called approved', { ...broken.run, report }],
  [
    'of which only the checks passed',
    { ...run, report: { ...report, status: 'inconclusive', checksPassed: true } },
  ],
  ['whose journal ends otherwise', { ...run, records: ends('exhausted') }],
  ['that went on after its approval', { ...run, records: records.slice(0, -1) }],
  ['without a journal', { ...run, records: [] }],
  ['of another id', { ...run, report: { ...report, runId: 'run-2' } }],
  ['with another output', { ...run, output: 'Another text.' }],
  ['with another tree', { ...run, tree: 'c'.repeat(64) }],
  ['of another version', { ...run, report: { ...report, version: 'c'.repeat(64) } }],
  ['without a review', { ...run, report: { ...report, reviews: [] } }],
  [
    'whose review is incomplete',
    { ...run, report: { ...report, reviews: best({ complete: false }) } },
  ],
  [
    'whose policy decided otherwise',
    { ...run, report: { ...report, reviews: best({ decision: { kind: 'revise', reason: '' } }) } },
  ],
  ['of a person who said nothing', { ...run, report: { ...report, decidedBy: 'Ann' } }],
  [
    'accepted by a person who said nothing',
    {
      ...run,
      records: ends('accepted'),
      report: {
        ...report,
        status: 'accepted',
        acceptance: { kind: 'override', by: 'Ann', reason: 'fine' },
      },
    },
  ],
  [
    'accepted without a review',
    {
      ...run,
      records: ends('accepted'),
      report: {
        ...report,
        status: 'accepted',
        acceptance: { kind: 'not_reviewed', by: 'the pipeline', reason: '' },
      },
    },
  ],
];

/** Law: nothing is attested that was not approved or accepted. */
function attestsOnlyApprovals(attest: typeof attestation): void {
  expect(attest(run).statement.predicate.verdict).toBe('approved');
  for (const [name, other] of runs) expect(() => attest(other), name).toThrow(/./);
}

describe('attestations', () => {
  it('only what was approved or accepted is attested', () => {
    attestsOnlyApprovals(attestation);
    for (const [name, other] of runs)
      expect(() => attestation(other), name).toThrow(withCode('not_attestable'));
  });

  it('saboteur: an attestation that believes the report breaks the law', () => {
    const believing: typeof attestation = (given) =>
      given.report.approved ? attestation(run) : attestation(given);
    expect(() => attestsOnlyApprovals(believing)).toThrow('not approved, and called so');
  });

  it('an override is attested as one, with its dissent', async () => {
    const { run: accepted } = await attestedRun(
      { policy: thresholds({ quality: 1 }) },
      async ({ runId, version = '' }, pipeline): Promise<Outcome<string>> =>
        pipeline.override({ runId, digest: version }, { by: 'Ann', reason: 'a draft' }),
    );
    const { predicate } = attestation(accepted).statement;
    expect(predicate).toMatchObject({
      verdict: 'accepted',
      decidedBy: 'person',
      acceptance: { kind: 'override', by: 'Ann', reason: 'a draft' },
      decisions: [{ answer: 'override', by: 'Ann' }],
    });
    expect(predicate.dissent).toContainEqual({ criterion: 'liked', said: 'fail' });
  });

  const wrong: readonly (readonly [string, object])[] = [
    ['no report', { report: undefined }],
    ['a report of another kind', { report: { runId: 'run-1' } }],
    ['records that are no list', { records: 'all' }],
    ['an unknown option', { sign: true }],
  ];
  it.each(wrong)('%s is refused as an option', (_name, more) => {
    expect(() => attestation({ ...run, ...more })).toThrow(withCode('invalid_options'));
  });
});
