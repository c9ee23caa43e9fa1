import { describe, expect, it } from 'vitest';
import { requirementCoverage } from '@/blocks/reviewers/requirement-coverage.js';
import type { Assessment } from '@/core/assessment.js';
import { AssessmentSchema } from '@/core/assessment-schema.js';
import type { RequirementCoverage } from '@/core/coverage.js';
import type { RequirementDecision } from '@/core/criterion.js';
import { ReviewLoopError } from '@/core/errors.js';
import { EffortSchema, type Gap, GapCategorySchema, GapSchema, gap } from '@/core/gap.js';
import { sharedGaps } from '@/core/shared-gaps.js';
import { criterion, definePipeline } from '@/index.js';
import { reviewerOf } from '../../support/reviewer.js';

describe('gap', () => {
  it('has defaults for all but its description', () => {
    const made: Gap = gap('no title');
    expect(made).toEqual({
      id: '',
      severity: 'major',
      category: 'quality',
      description: 'no title',
      suggestedFix: 'no title',
      estimatedEffort: 'medium',
      autoFixable: true,
    });
    expect(GapSchema.parse(made)).toEqual(made);
  });

  it('names its place, and takes what else is given', () => {
    expect(
      gap('no title', { file: 'a.md', line: 3, severity: 'critical', suggestedFix: 'add one' }),
    ).toMatchObject({
      affectedArtifact: 'a.md',
      location: { file: 'a.md', line: 3 },
      severity: 'critical',
      suggestedFix: 'add one',
    });
  });

  it('refuses unknown options and values', () => {
    expect(() => gap('')).toThrow('`description`');
    expect(() => gap('x', { sevrity: 'minor' } as never)).toThrow('no option `sevrity`');
    expect(() => gap('x', { severity: 'bad' as 'minor' })).toThrow('severity');
    expect(() => gap('x', { file: 'a', line: 0 })).toThrow('line');
    expect(() => gap('x', { line: 1 })).toThrow('`line`');
  });

  it('is what a reviewer returns; the engine signs it', async () => {
    const { gaps } = await definePipeline<string, string>({
      reviewers: [
        reviewerOf('titled', async () => [
          {
            verdict: 'fail',
            criterion: 'title',
            score: 0,
            explanation: '',
            gaps: [gap('no title', { file: 'a.md', line: 1 })],
          },
        ]),
      ],
    }).review('task', 'text');
    expect(gaps).toMatchObject([
      { description: 'no title', criterionId: 'title', raisedBy: 'titled', lifecycle: 'new' },
    ]);
    expect(gaps[0]?.id).toMatch(/^gap-/);
  });
});

const said = { criterion: 'c', score: 0.5, explanation: '', gaps: [] };

const undecided = { verdict: 'undecided', criterion: 'c', reason: 'no text', decidableBy: [] };

describe('what a reviewer can say', () => {
  // one test, because a schema is built by the first test that uses it
  it('is one of five verdicts, each with its reason', () => {
    const good = [
      { verdict: 'pass', ...said },
      { verdict: 'fail', ...said, score: 0 },
      { ...undecided, question: 'Is it text?', decidableBy: ['person', 'model'] },
      { verdict: 'skipped', criterion: 'c', reason: 'no page' },
      { verdict: 'errored', criterion: 'c', error: new ReviewLoopError('timeout', 'late') },
    ];
    expect(good.map((assessment) => AssessmentSchema.safeParse(assessment).success)).toEqual(
      good.map(() => true),
    );
    const bad = [
      { verdict: '', ...said },
      { verdict: 'pass', ...said, score: 0 },
      { ...undecided, reason: '' },
      { ...undecided, question: '' },
      { ...undecided, decidableBy: [''] },
      { verdict: 'skipped', criterion: 'c', reason: '' },
      { verdict: 'skipped', criterion: 'c' },
      { verdict: 'errored', criterion: 'c', error: 'late' },
    ];
    expect(bad.filter((assessment) => AssessmentSchema.safeParse(assessment).success)).toEqual([]);
  });

  it('puts gaps into four categories and four efforts', () => {
    expect(GapCategorySchema.options).toEqual(['missing', 'incorrect', 'incomplete', 'quality']);
    expect(EffortSchema.options).toEqual(['trivial', 'small', 'medium', 'large']);
  });
});

const asked = 'The page must state its language';

async function reviewed(
  decision: RequirementDecision,
  finding: Partial<Gap> & { readonly file?: string; readonly line?: number } = {},
  severity: 'major' | 'minor' = 'minor',
) {
  const found = { description: 'no lang', file: 'a.html', line: 2, ...finding };
  const lang = criterion(
    'lang',
    (_: string) => ({ passed: false, score: 0.9, details: 'no lang', findings: [found] }),
    { severity, decides: () => decision, version: '1' },
  );
  const coverage = requirementCoverage<string, string>({
    extractRequirements: async () => [asked],
    checkRequirementCovered: () => Promise.reject(new Error('a check decides')),
    deciders: [{ id: 'lang', version: '1', decides: () => decision }],
    words: 'hint',
    version: '1',
  });
  const pipeline = definePipeline<string, string>({
    produce: async () => '<html>',
    reviewers: [coverage, lang],
  });
  const outcome = await pipeline.run('page');
  const [review] = outcome.reviews;
  if (review === undefined) throw new Error('no review');
  return { outcome, review };
}

const violated = { satisfied: false, explanation: 'no lang in a.html' };

const at = (line: number) => ({ file: 'a.html', line, quote: '<html>', share: 1 });

function gapsOf(assessment: Assessment | undefined): readonly Gap[] {
  return assessment !== undefined && 'gaps' in assessment ? assessment.gaps : [];
}

describe('a defect that a check and a requirement report', () => {
  it.each([
    ['at its line', { ...violated, evidence: [at(2)] }],
    ['in its file', { ...violated, files: ['a.html'] }],
  ])('is one gap %s, as severe as the worse one, and approves nothing', async (_, decision) => {
    const { outcome, review } = await reviewed(decision);
    expect(outcome.status).not.toBe('approved');
    expect(review.gaps).toMatchObject([
      { criterionId: 'lang', severity: 'major', affectedRequirement: asked, raisedBy: 'lang' },
    ]);
    const requirement = review.assessments.find(({ criterion: id }) => id.startsWith('req'));
    expect(requirement).toMatchObject({ verdict: 'fail', score: 0, coverage: { covered: false } });
    expect(gapsOf(requirement)).toEqual(review.gaps);
    expect(review.scores.completeness).toBe(0);
  });

  it.each([
    ['another line', { ...violated, evidence: [at(2), at(7)] }, {}],
    ['another file', { ...violated, files: ['a.html', 'b.html'] }, {}],
    ['an unknown place', violated, {}],
    ['the gap of another criterion', { ...violated, evidence: [at(2)], reportedBy: 'name' }, {}],
    ['a gap that nobody may fix', { ...violated, evidence: [at(2)] }, { autoFixable: false }],
  ])('stays two gaps: %s', async (_, decision, finding) => {
    const { review } = await reviewed(decision, finding);
    expect(review.gaps.map(({ severity }) => severity)).toEqual(['major', 'minor']);
    expect(review.gaps[0]?.description).toContain('Requirement violated');
    expect(review.gaps[1]?.affectedRequirement).toBeUndefined();
  });
});

const required = 'The page must state its language';

const foundGap: Gap = {
  id: '',
  severity: 'minor',
  category: 'quality',
  description: 'no lang',
  suggestedFix: 'add it',
  estimatedEffort: 'small',
  autoFixable: true,
  criterionId: 'lang',
  location: { file: 'a.html', line: 2 },
};

const quote = { file: 'a.html', line: 2, quote: '<html>', share: 1 };

function shared(
  { gap = {}, ...coverage }: Partial<RequirementCoverage> & { readonly gap?: Partial<Gap> } = {},
  severity: Gap['severity'] = 'major',
): readonly (readonly Gap[])[] {
  const about: RequirementCoverage = {
    requirement: required,
    source: 'explicit',
    covered: false,
    coverageDetails: 'no lang',
    confidence: 1,
    decidedBy: 'lang',
    reportedBy: 'lang',
    evidence: [quote],
    ...coverage,
  };
  const criterion = `requirement:${required}`;
  const { location: _, ...own } = foundGap;
  const violated: Gap = { ...own, criterionId: criterion, affectedRequirement: required, severity };
  const found: Gap = { ...foundGap, ...gap };
  const failed = (id: string, more: Partial<Assessment> = {}): Assessment =>
    ({
      verdict: 'fail',
      criterion: id,
      score: 0,
      explanation: '',
      gaps: [],
      ...more,
    }) as Assessment;
  return sharedGaps([
    { assessment: failed('lang'), gaps: [found] },
    { assessment: failed(criterion, { coverage: about }), gaps: [violated] },
  ]).map(({ gaps }) => gaps);
}

describe('the gap of a requirement that a check decided', () => {
  it('is left out if the check reports its place', () => {
    const [check, requirement] = shared();
    expect(check).toMatchObject([{ affectedRequirement: required, severity: 'major' }]);
    expect(requirement).toEqual([]);
  });

  it('is left out if its line lies within the place of the gap', () => {
    const within = { location: { file: 'a.html', line: 1, endLine: 3 } };
    expect(shared({ gap: within })[1]).toEqual([]);
  });

  it.each([
    ['a model decided it', { decidedBy: 'model' }],
    ['a person decided it', { decidedBy: 'person' }],
    ['nobody is named who decided it', { decidedBy: undefined }],
    ['the gap is in another file', { gap: { location: { file: 'b.html', line: 2 } } }],
    ['the gap is below', { gap: { location: { file: 'a.html', line: 3 } } }],
    ['the gap ends above', { gap: { location: { file: 'a.html', line: 1 } } }],
    ['the gap has no place', { gap: { location: undefined } }],
    [
      'the gap has no place, but its file is known',
      { files: ['a.html'], gap: { location: undefined } },
    ],
    ['the gap is about another requirement', { gap: { affectedRequirement: 'It has a title' } }],
    ['nobody may fix the gap', { gap: { autoFixable: false } }],
  ])('stays if %s', (_, given) => {
    const [check, requirement] = shared(given);
    expect(check?.[0]?.severity).toBe('minor');
    expect(requirement).toMatchObject([{ affectedRequirement: required, severity: 'major' }]);
  });

  it.each([
    ['minor', 'critical', 'critical'],
    ['critical', 'minor', 'critical'],
    ['major', 'major', 'major'],
  ] as const)('leaves the worse severity: of %s and %s %s', (own, asking, severity) => {
    expect(shared({ gap: { severity: own } }, asking)[0]).toMatchObject([{ severity }]);
  });
});
