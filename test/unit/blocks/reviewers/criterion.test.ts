import { describe, expect, it } from 'vitest';
import { assess, fromCriterion } from '@/blocks/reviewers/from-criterion.js';
import { resultOfVerdicts } from '@/blocks/reviewers/judge-answer.js';
import {
  confirm,
  criterion,
  definePipeline,
  llmCriteria,
  llmCriterion,
  ReviewLoopError,
} from '@/index.js';
import { fakeContext, scriptedJudge } from '@/testing/index.js';
import { withCode } from '../../../support/matchers.js';

describe('a criterion that is asked without an engine', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);

  it.each<[string, unknown]>([
    ['null', null],
    ['a number that is none', Number.NaN],
    ['a function', () => true],
    ['a cycle', cyclic],
    ['a score of 7', { passed: true, score: 7 }],
    ['nothing', undefined],
  ])('refuses %s as an answer, and says what it got', async (_, answer) => {
    const wrong = criterion<string, string>('wrong', () => answer as never);
    await expect(wrong.validate('x', 'task', fakeContext())).rejects.toMatchObject({
      code: 'criterion_invalid',
      value: answer,
    });
  });

  it('gives the long form of its answer', async () => {
    const short = criterion<string, string>('short', async () => 'too long');
    expect(await short.validate('x', 'task', fakeContext())).toMatchObject({ passed: false });
    const fine = criterion<string, string>('fine', () => true);
    expect(await fine.validate('x', 'task', fakeContext())).toMatchObject({ passed: true });
  });

  it('by a model sees what it selects, alone, also as part of a batch', async () => {
    const seen: string[] = [];
    const reads = (text: string) => {
      seen.push(text);
      return 'yes' as const;
    };
    const provider = scriptedJudge({ 'Is it right?': reads, 'Is it good?': reads });
    const [right, good] = llmCriteria<{ readonly a: string; readonly b: string }, string>(
      [
        { id: 'right', question: 'Is it right?', scope: ({ a }) => a },
        { id: 'good', question: 'Is it good?', scope: ({ b }) => b },
      ],
      { mode: 'batch', provider },
    );
    const both = { a: 'first part', b: 'second part' };
    expect(await right?.validate(both, 'task', fakeContext())).toMatchObject({ passed: true });
    expect(await good?.validate(both, 'task', fakeContext())).toMatchObject({ passed: true });
    expect(provider.requests).toHaveLength(2);
    expect(seen[0]).toContain('first part');
    expect(seen[0]).not.toContain('second part');
    expect(seen[1]).toContain('second part');
  });
});

describe('a criterion', () => {
  it.each<[string, unknown, unknown]>([
    ['an id', '', () => true],
    ['an id with a letter', ' ', () => true],
    ['an id that is a text', 7, () => true],
    ['a check', 'a', 'yes'],
  ])('needs %s', (_, id, check) => {
    expect(() => criterion(id as string, check as () => true)).toThrow(withCode('invalid_options'));
  });

  const throwing = (error: Error) => () => {
    throw error;
  };
  it.each<[string, () => unknown, string]>([
    ['throws', throwing(new Error('no disk')), 'criterion_threw'],
    [
      'changes what it reviews',
      throwing(new TypeError("Cannot assign to read only property 'a'")),
      'criterion_mutated',
    ],
    [
      'throws an error of this library',
      throwing(new ReviewLoopError('scope_failed', 'nothing to see')),
      'scope_failed',
    ],
    ['answers nonsense', () => 7, 'criterion_invalid'],
    ['answers without a verdict', () => ({ passed: 'yes' }), 'criterion_invalid'],
    ['scores 2', () => ({ passed: true, score: 2, details: '' }), 'criterion_invalid'],
    [
      'contradicts itself',
      () => ({ passed: true, score: 0, details: '' }),
      'criterion_contradiction',
    ],
  ])('that %s is errored by the name of that', async (_, answer, code) => {
    const check = answer as () => boolean;
    const review = await definePipeline<string, string>({
      reviewers: [criterion('a', check), criterion('b', async () => check())],
      retries: 0,
    }).review('task', 'x');
    expect(review.assessments).toMatchObject([
      { verdict: 'errored', criterion: 'a', error: { code } },
      { verdict: 'errored', criterion: 'b', error: { code } },
    ]);
  });

  it('by a model may mend what it finds', async () => {
    const provider = scriptedJudge({
      loud: (text) => (text.includes('!') ? { answer: 'no', quote: '!' } : 'yes'),
    });
    const outcome = await definePipeline<string, string>({
      produce: async () => 'Tea!',
      reviewers: [
        llmCriterion({
          id: 'loud',
          question: 'Is it quiet?',
          provider,
          fix: async (output) => output.replaceAll('!', '.'),
        }),
      ],
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'Tea.' });
  });
});

it('the judge that confirms is told from the one that judged by its model, or by its service', () => {
  const judge = (id: string, model?: string) => ({
    ...scriptedJudge({ clear: 'yes' }, { id }),
    model,
  });
  const confirming = (own: ReturnType<typeof judge>, other: ReturnType<typeof judge>) => () =>
    confirm({
      reviewers: [llmCriterion({ id: 'clear', question: 'Is it clear?', provider: own })],
      providers: [other],
    });
  expect(confirming(judge('a', 'small'), judge('a', 'large'))).not.toThrow();
  expect(confirming(judge('a'), judge('b'))).not.toThrow();
  expect(confirming(judge('a', 'small'), judge('a', 'small'))).toThrow('a small');
  expect(confirming(judge('a'), judge('a'))).toThrow(withCode('invalid_options'));
});

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
