import { describe, expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { assess, fromCriterion } from '../../../src/reviewers/from-criterion.js';
import { resultOfVerdicts } from '../../../src/reviewers/judge-result.js';

const described = {
  id: 'c',
  name: 'Clear',
  description: 'Every term is explained',
  severity: 'critical',
  category: 'incorrect',
} as const;
const failing = { passed: false, score: 0.5, details: '' };

describe('the assessment of a criterion', () => {
  const whole = {
    id: '',
    severity: 'critical',
    category: 'incorrect',
    description: 'Clear',
    suggestedFix: 'Every term is explained',
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: 'c',
    raisedBy: 'c',
    lifecycle: 'new',
  };

  it('that fails without a finding has one gap about the whole', () => {
    expect(assess(described, failing)).toEqual({
      verdict: 'fail',
      criterion: 'c',
      score: 0.5,
      explanation: '',
      gaps: [whole],
      category: 'incorrect',
    });
    const told = {
      ...failing,
      details: 'no',
      suggestedFix: 'do',
      estimatedEffort: 'large',
    } as const;
    expect(assess(described, told)).toMatchObject({
      gaps: [{ ...whole, description: 'Clear: no', suggestedFix: 'do', estimatedEffort: 'large' }],
    });
    expect(assess(described, { ...failing, findings: [] })).toMatchObject({ gaps: [whole] });
  });

  it('has a gap for each finding, which may say more than the criterion', () => {
    const finding = {
      description: 'here',
      severity: 'minor',
      category: 'quality',
      suggestedFix: 'mend',
      autoFixable: false,
      evidence: 'x',
      file: 'a.ts',
      line: 2,
      endLine: 3,
    } as const;
    const findings = [finding, { description: 'there' }, { description: 'file', file: 'b.ts' }];
    const gaps = [
      {
        ...whole,
        severity: 'minor',
        category: 'quality',
        description: 'Clear: here',
        suggestedFix: 'mend',
        autoFixable: false,
        evidence: 'x',
        affectedArtifact: 'a.ts',
        location: { file: 'a.ts', line: 2, endLine: 3 },
      },
      { ...whole, description: 'Clear: there', suggestedFix: 'do' },
      {
        ...whole,
        description: 'Clear: file',
        suggestedFix: 'do',
        affectedArtifact: 'b.ts',
        location: { file: 'b.ts' },
      },
    ];
    expect(assess(described, { ...failing, suggestedFix: 'do', findings })).toMatchObject({ gaps });
    expect(assess(described, { ...failing, suggestedFix: 'do', findings })).toEqual(
      expect.objectContaining({ gaps }),
    );
  });

  it('that passes keeps its findings as minor remarks', () => {
    const findings = [{ description: 'a' }, { description: 'b', severity: 'major' as const }];
    expect(assess(described, { passed: true, score: 0.9, details: 'ok', findings })).toMatchObject({
      verdict: 'pass',
      score: 0.9,
      explanation: 'ok',
      category: 'incorrect',
      gaps: [{ severity: 'minor' }, { severity: 'major' }],
    });
  });

  it('is skipped, undecided or contradicts itself', () => {
    const skipped = { ...failing, skipped: 'not here', undecided: 'nobody knows' };
    expect(assess(described, skipped)).toEqual({
      verdict: 'skipped',
      criterion: 'c',
      reason: 'not here',
    });
    const open = { ...failing, undecided: 'nobody knows' };
    const undecided = { verdict: 'undecided', criterion: 'c', reason: 'nobody knows' };
    expect(assess(described, open)).toEqual({
      ...undecided,
      question: 'Every term is explained',
      decidableBy: ['person'],
    });
    const named = { ...described, description: 'c' };
    expect(assess(named, { ...open, decidableBy: ['model'] })).toEqual({
      ...undecided,
      question: 'Clear',
      decidableBy: ['model'],
    });
    const result = { passed: true, score: 0, details: '' };
    expect(() => assess(described, result)).toThrow(
      expect.objectContaining({ code: 'criterion_contradiction', value: result }),
    );
  });
});

describe('the reviewer of a criterion', () => {
  const made = (more: object = {}) =>
    fromCriterion<string, string>({ ...described, validate: () => true, ...more });

  it('has another version for other rules or other words, and the given one otherwise', () => {
    const versions = [
      made(),
      made({ validate: () => false }),
      made({ scope: () => 'x' }),
      made({ decides: () => undefined }),
      made({ name: 'x' }),
      made({ description: 'x' }),
      made({ severity: 'minor' }),
      made({ category: 'quality' }),
      made({ version: '1' }),
      made({ version: '2' }),
    ].map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
    for (const version of versions) expect(version).toMatch(/^[\da-f]{16}$/);
    expect(made({ version: '1', validate: () => false }).version).toBe(
      made({ version: '1' }).version,
    );
  });

  it('is reused by later runs only where its rules have a version', () => {
    expect(made().reuse).toBe('run');
    expect(made({ reuse: undefined, version: '1' }).reuse).toBeUndefined();
    expect(made({ reuse: 'run', version: '1' }).reuse).toBe('run');
    expect([made().tier, made({ tier: 'model' }).tier]).toEqual(['code', 'model']);
  });

  it('is errored where its check throws, contradicts itself or answers nonsense', async () => {
    const code = async (validate: () => unknown) => {
      const pipeline = definePipeline<string, string>({
        criteria: { c: validate as () => boolean },
        retries: 0,
      });
      const [assessment] = (await pipeline.review('task', 'x')).assessments;
      return assessment?.verdict === 'errored' ? assessment.error.code : assessment?.verdict;
    };
    expect(await code(() => ({ passed: true, score: 0, details: '' }))).toBe(
      'criterion_contradiction',
    );
    expect(
      await code(() => {
        throw new Error('broken');
      }),
    ).toBe('criterion_threw');
    expect(await code(() => ({ passed: 'yes' }))).toBe('criterion_invalid');
    expect(await code(async () => ({ passed: true, score: 2, details: '' }))).toBe(
      'criterion_invalid',
    );
  });
});

describe('the verdicts of a judge', () => {
  const yes = (reason = 'fine') => ({ kind: 'yes', reason });
  const na = (reason = 'none here') => ({ kind: 'not_applicable', reason });
  const no = (more: object = {}) => ({
    ...{ kind: 'no', reason: 'bad', findings: [{ description: 'x' }], dropped: 0 },
    ...more,
  });
  const result = (verdicts: readonly object[], rules: object = {}, remarks: string[] = []) =>
    resultOfVerdicts(
      { id: 'c', threshold: 1, severity: undefined, ...rules },
      verdicts as never,
      remarks,
    );

  it('pass from the threshold on, and never without a yes', () => {
    expect(result([yes(), yes(' ')])).toEqual({
      passed: true,
      score: 1,
      details: 'fine',
      findings: [],
    });
    expect(result([yes(), no()])).toMatchObject({ passed: false, score: 0.5, details: 'bad' });
    expect(result([yes(), no()], { threshold: 0.5 })).toMatchObject({ passed: true, score: 0.5 });
    expect(result([yes(), no()], { threshold: 0.51 })).toMatchObject({ passed: false });
    expect(result([no()], { threshold: 0 })).toMatchObject({ passed: false, score: 0 });
    expect(result([yes(), na()])).toMatchObject({ passed: true, score: 1 });
  });

  it('have the severity that the criterion declares', () => {
    const found = no({ findings: [{ description: 'x', severity: 'minor' }] });
    expect(result([found]).findings).toEqual([{ description: 'x', severity: 'minor' }]);
    expect(result([found], { severity: 'critical' }).findings).toEqual([
      { description: 'x', severity: 'critical' },
    ]);
  });

  it('are told with what was dropped and remarked', () => {
    expect(result([no({ dropped: 1 }), yes()], {}, ['cut.']).details).toBe(
      'bad (1 unverified finding dropped: the quote does not occur.) cut.',
    );
    expect(result([no({ dropped: 1 }), no({ dropped: 2 })]).details).toBe(
      'bad bad (3 unverified findings dropped: the quote does not occur.)',
    );
  });

  it('are none where no question concerns the output, and an error where one is undecided', () => {
    expect(result([na(), na('')])).toEqual({
      passed: false,
      score: 0,
      details: 'none here',
      skipped: 'none here',
    });
    expect(result([na('')]).skipped).toBe('no question concerns this output');
    expect(() => result([yes(), { kind: 'undecided', problem: 'p' }])).toThrow(
      expect.objectContaining({ code: 'answer_mismatch', retryable: true }),
    );
  });
});
