import { describe, expect, it } from 'vitest';
import { modelErrors } from '@/blocks/models/errors.js';
import { type Assessment, isJudged, type JudgedAssessment } from '@/core/assessment.js';
import { ReviewLoopError } from '@/core/errors.js';
import type { Reviewer } from '@/core/reviewer.js';
import { estimatedTokens } from '@/ports/token-counter.js';
import type { ChangedFile, CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import type { DimensionIssue } from '@/products/reviewer-stage/dimension.js';
import { checklistResult } from '@/products/reviewer-stage/dimensions/checklist-dimension.js';
import {
  fromDimension,
  issuesOf,
  nothingToReview,
} from '@/products/reviewer-stage/from-dimension.js';
import {
  levelAtLeast,
  levelOfIssues,
  levelOfScore,
  type QualityLevel,
  scoreOfLevel,
} from '@/products/reviewer-stage/quality-level.js';
import {
  afterVerification,
  reviewDepth,
  undecidedDimension,
  verificationReviewer,
} from '@/products/reviewer-stage/stage-definition.js';
import { fakeReviewerContext, scriptedProvider } from '@/testing/index.js';
import { withCode } from '../../../support/matchers.js';
import { good, saying, work } from './support.js';

async function said(
  reviewer: Reviewer<unknown, CompletedWork>,
  output: CompletedWork = work,
): Promise<readonly Assessment[]> {
  const answer = await reviewer.review(
    { task: undefined, output, iteration: 1 },
    fakeReviewerContext(),
  );
  return 'assessments' in answer ? answer.assessments : answer;
}

/** What a dimension says of these files: that they are good. */
const judged = (changedFiles: ChangedFile[], issues: DimensionIssue[] = []) =>
  said(fromDimension(saying('quality', { ...good, issues }), { threshold: 'good' }), {
    ...work,
    changedFiles,
  });
const file = (path: string, omitted?: 'unmerged' | 'too_large') => ({
  ...{ path, status: 'modified' as const, content: 'text', diff: '+text' },
  ...(omitted !== undefined && { omitted }),
});

describe('a dimension', () => {
  it('has no verdict on files that judges cannot see, and names the first five', async () => {
    expect(await judged([file('a.ts')])).toMatchObject([{ verdict: 'pass' }]);
    expect(await judged([file('a.ts'), file('b.ts', 'unmerged')])).toMatchObject([
      {
        verdict: 'errored',
        error: {
          ...{ code: 'view_truncated', value: ['b.ts'] },
          what: 'b.ts is in conflict: judges cannot see all changes',
        },
      },
    ]);
    const paths = Array.from({ length: 7 }, (_, index) => `${index}.ts`);
    const shown = paths.slice(0, 5).map((path) => `${path} is too large`);
    const what = `${shown.join(', ')}, and 2 more: judges cannot see all changes`;
    expect(await judged(paths.map((path) => file(path, 'too_large')))).toMatchObject([
      { error: { code: 'view_truncated', value: paths, what } },
    ]);
  });

  it('keeps place, quote, suggestion and severity of its issues, both ways', async () => {
    const issues: DimensionIssue[] = [
      {
        ...{ message: 'one', suggestion: 'do it', severity: 'critical', evidence: 'a quote' },
        location: { file: 'a.ts', line: 3 },
      },
      { message: 'two', suggestion: 'leave it', severity: 'minor' },
    ];
    const assessments = await judged([file('a.ts')], issues);
    const [assessment] = assessments.filter((one): one is JudgedAssessment => isJudged(one));
    expect(assessment?.gaps).toMatchObject([
      { location: { file: 'a.ts', line: 3 }, affectedArtifact: 'a.ts', evidence: 'a quote' },
      { description: 'two' },
    ]);
    for (const name of ['location', 'affectedArtifact', 'evidence'])
      expect(assessment?.gaps[1]).not.toHaveProperty(name);
    const again = assessment === undefined ? [] : issuesOf(assessment);
    expect(again).toEqual(issues);
    expect(again.map((issue) => Object.keys(issue).length)).toEqual([5, 3]);
  });
});

const empty = { ...work, changedFiles: [] };
const results = (...verificationResults: CompletedWork['verificationResults']) => ({
  ...work,
  verificationResults,
});

describe('work with nothing to review', () => {
  const nothing = (...changedFiles: ChangedFile[]) => nothingToReview({ ...work, changedFiles });

  it('has no file, or only files without visible content', () => {
    expect(nothing()).toBe('no file was changed');
    const blank = '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\n+ \n x\n';
    for (const more of [
      { status: 'new', content: ' \n\t' },
      { content: 'x', diff: blank },
      { diff: '' },
      { diff: '@@ -1 +1 @@\n x\n the old mode 100644 x' },
    ] as const)
      expect(nothing({ path: 'a', status: 'modified', ...more }), JSON.stringify(more)).toBe(
        'the changes have no visible content',
      );
  });

  it('is none with one change that somebody can see', () => {
    const blank = { path: 'b', status: 'new', content: ' ' } as const;
    for (const more of [
      { status: 'new', content: 'x' },
      { status: 'deleted' },
      { status: 'renamed', diff: '' },
      { status: 'new', omitted: 'binary' },
      {},
      { diff: '@@ -1 +1 @@\n-gone\n' },
      { diff: '@@ -1 +1 @@\n+x\n' },
      { diff: 'old mode 100644\nnew mode 100755\n' },
    ] as const) {
      const made = nothing(blank, { path: 'a', status: 'modified', ...more });
      expect(made, JSON.stringify(more)).toBeUndefined();
    }
  });
});

describe('the verification of work', () => {
  it('fails with every command that failed, and what it said at the end', async () => {
    const long = `${'x'.repeat(600)}the end`;
    const [assessment] = await said(
      verificationReviewer(),
      results(
        { name: 'lint', passed: true, details: 'fine' },
        { name: 'npm test', passed: false, details: ` ${long} ` },
        { name: 'build', passed: false, details: ' ' },
        { name: 'types', passed: false },
      ),
    );
    expect(assessment).toMatchObject({
      ...{ verdict: 'fail', criterion: 'verification', score: 0, category: 'incorrect' },
      explanation: 'failed: npm test, build, types',
      gaps: [
        {
          ...{ severity: 'critical', description: 'the verification npm test failed' },
          ...{ suggestedFix: `Make npm test pass: ${long.slice(-500)}`, autoFixable: true },
          ...{ criterionId: 'verification', raisedBy: 'verification', category: 'incorrect' },
        },
        { suggestedFix: 'Make build pass' },
        { suggestedFix: 'Make types pass' },
      ],
    });
  });

  it('passes where all did, and says nothing where nothing was verified or changed', async () => {
    expect(await said(verificationReviewer())).toMatchObject([
      { verdict: 'pass', criterion: 'verification', score: 1, gaps: [] },
    ]);
    expect(await said(verificationReviewer(), results())).toEqual([
      { verdict: 'skipped', criterion: 'verification', reason: 'nothing was verified' },
    ]);
    expect(await said(verificationReviewer(), empty)).toMatchObject([
      { verdict: 'skipped', reason: 'no file was changed' },
    ]);
    const failed = [{ name: 'lint', passed: false }];
    const output = { ...empty, verificationResults: failed };
    expect(await said(verificationReviewer(), output)).toMatchObject([{ verdict: 'fail' }]);
  });

  it('that failed spares other judges their work', async () => {
    let calls = 0;
    const counting: Reviewer<unknown, CompletedWork> = {
      ...{ id: 'own', version: '1', tier: 'model' },
      review: async () => {
        calls += 1;
        return [{ verdict: 'pass', criterion: 'own', score: 1, explanation: '', gaps: [] }];
      },
    };
    const reviewer = afterVerification(counting);
    expect(await said(reviewer)).toMatchObject([{ verdict: 'pass' }]);
    expect(await said(reviewer, results())).toMatchObject([{ verdict: 'pass' }]);
    const mixed = results({ name: 'a', passed: true }, { name: 'b', passed: false });
    expect(await said(reviewer, mixed)).toMatchObject([{ verdict: 'skipped', criterion: 'own' }]);
    expect(calls).toBe(2);
  });
});

it('a dimension without a model is left to a model or a person', async () => {
  const reviewer = undecidedDimension({ id: 'safety', name: 'Safety' });
  expect(await said(reviewer)).toMatchObject([
    {
      ...{ verdict: 'undecided', criterion: 'safety', decidableBy: ['model', 'person'] },
      question: expect.stringContaining('Safety') as string,
    },
  ]);
  expect(await said(reviewer, empty)).toMatchObject([
    { verdict: 'skipped', criterion: 'safety', reason: 'no file was changed' },
  ]);
});

describe('how deep a review looks', () => {
  const depthOf = (
    simple: { readonly files: number; readonly tokens: number },
    changedFiles: CompletedWork['changedFiles'],
  ) => {
    const tokens = { id: 'letters', count: async (text: string) => text.length };
    return reviewDepth({ simple, tokens }).of({ ...work, request: '12345', changedFiles });
  };
  const file = (content: string, diff?: string): ChangedFile => ({
    ...{ path: 'a', status: 'modified', content },
    ...(diff !== undefined && { diff }),
  });

  it('is quick up to the number of files and of tokens, of which the larger text counts', async () => {
    const files = [file('1234', '12'), file('12', '123456')];
    expect(await depthOf({ files: 2, tokens: 15 }, files)).toBe('quick');
    expect(await depthOf({ files: 2, tokens: 14 }, files)).toBe('thorough');
    expect(await depthOf({ files: 1, tokens: 15 }, files)).toBe('thorough');
    const gone = { path: 'a', status: 'deleted' } as const;
    expect(await depthOf({ files: 1, tokens: 5 }, [gone])).toBe('quick');
  });

  it('is part of the version of a verdict', () => {
    const version = (files: number, tokens: number, id = 'a') =>
      reviewDepth({ simple: { files, tokens }, tokens: { ...estimatedTokens, id } }).version;
    expect(new Set([version(1, 2), version(2, 2), version(1, 3), version(1, 2, 'b')]).size).toBe(4);
  });
});

describe('the version of a verdict about a dimension', () => {
  const asking = saying('own', good, { needsProvider: true, version: '7' });
  const provider = { ...scriptedProvider([]), id: 'p', model: 'm' };

  it('depends on dimension, threshold, depth and model', () => {
    const bar = { threshold: 'good' } as const;
    const depth = { of: async () => 'quick' as const, version: 'd' };
    const versions = [
      fromDimension(saying('own', good), bar),
      fromDimension(asking, bar),
      fromDimension(asking, { threshold: 'excellent' }),
      fromDimension(asking, { ...bar, depth }),
      fromDimension(asking, { ...bar, provider }),
      fromDimension(asking, { ...bar, provider: { ...provider, model: 'n' } }),
    ].map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
    // a dimension that asks no model is not judged anew with another one
    expect(fromDimension(saying('own', good), { ...bar, provider }).version).toBe(versions[0]);
  });

  it('that needs a model takes the one that is offered, and keeps its own', () => {
    const bar = { threshold: 'good' } as const;
    const offered = fromDimension(asking, bar).withProvider?.(provider);
    expect(offered?.version).toBe(fromDimension(asking, { ...bar, provider }).version);
    expect(offered?.withProvider).toBeUndefined();
    expect(fromDimension(saying('own', good), bar).withProvider).toBeUndefined();
    expect(() => fromDimension(asking, { ...bar, more: 1 } as never)).toThrow(
      withCode('invalid_options'),
    );
  });
});

describe('files that a dimension did not see whole', () => {
  const seen = async (...files: ChangedFile[]) => (await judged(files))[0];
  const text = { path: 'a.ts', status: 'modified', content: 'x', diff: '+x' } as const;

  it('leave a pass to a person, and say which they are', async () => {
    const pass = { verdict: 'pass' };
    expect(await seen(text)).toMatchObject(pass);
    expect(await seen(text, { ...text, path: 'b.ts', omitted: 'cut' })).toMatchObject({
      ...{ verdict: 'undecided', decidableBy: ['person'] },
      reason: 'only a part was shown of b.ts (allowTruncated)',
    });
    for (const omitted of ['binary', 'submodule'] as const) {
      const hidden = { path: 'logo', status: 'new', omitted } as const;
      expect(await seen(text, hidden)).toMatchObject({
        ...{ verdict: 'undecided', reason: expect.stringContaining('logo') as string },
      });
      expect(await seen(text, { ...hidden, mayBeUnseen: true })).toMatchObject(pass);
      expect(await seen(text, { ...hidden, status: 'deleted' })).toMatchObject(pass);
    }
    expect(await seen(text, { ...text, omitted: 'content' })).toMatchObject(pass);
  });
});

const levels: readonly QualityLevel[] = ['poor', 'needs_work', 'acceptable', 'good', 'excellent'];

describe('levels of quality', () => {
  it('have a score, which leads back to them', () => {
    expect(levels.map(scoreOfLevel)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(levels.map((level) => levelOfScore(scoreOfLevel(level)))).toEqual(levels);
    expect(levelOfScore(0.59)).toBe('acceptable');
  });

  it('follow from the severity and the number of issues; an issue without one is major', () => {
    const of = (...severities: ('critical' | 'major' | 'minor' | undefined)[]) =>
      levelOfIssues(severities.map((severity) => ({ severity })));
    expect(of()).toBe('excellent');
    expect(of('minor', 'minor')).toBe('good');
    expect(of('minor', 'minor', 'minor')).toBe('acceptable');
    expect(of(undefined)).toBe('needs_work');
    expect(of('major', 'critical')).toBe('poor');
  });
});

const levelled = (
  criterion: string,
  level: QualityLevel,
  verdict: 'pass' | 'fail' = 'pass',
): Assessment => ({
  ...{ verdict, criterion, score: scoreOfLevel(level), explanation: '', gaps: [] },
});
const skipped = (criterion: string): Assessment => ({
  verdict: 'skipped',
  criterion,
  reason: 'not asked',
});
const errored = (criterion: string): Assessment => ({
  ...{ verdict: 'errored', criterion },
  error: new ReviewLoopError(modelErrors.answer_empty, 'no answer'),
});
const open = (criterion: string): Assessment => ({
  ...{ verdict: 'undecided', criterion, reason: 'unclear', decidableBy: ['person'] },
});

/** The decision about a review that a planner could go on with. */
function decide(
  assessments: readonly Assessment[],
  level: QualityLevel = 'good',
  overrides?: Record<string, QualityLevel>,
) {
  const gaps = assessments.flatMap(({ criterion, verdict }) =>
    verdict === 'skipped'
      ? []
      : [{ id: criterion, criterionId: criterion, severity: 'minor', autoFixable: true }],
  );
  const review = { iteration: 1, version: 'v', assessments, gaps, scores: { overall: 1 } };
  const policy = levelAtLeast(level, overrides);
  return policy({ review, best: review, history: [] } as unknown as Parameters<typeof policy>[0]);
}

describe('a policy of levels', () => {
  it('approves what reaches the level in everything, and names what was judged', () => {
    expect(decide([levelled('a', 'good'), levelled('b', 'excellent')])).toEqual({
      kind: 'approve',
      reason: 'every criterion is good or better',
    });
    expect(decide([levelled('a', 'acceptable'), skipped('b')], 'acceptable')).toEqual({
      kind: 'approve',
      reason: '1 of 2 criteria were judged (a), and are acceptable or better',
    });
  });

  it.each(levels.slice(0, 3))('revises what is %s where good is asked for', (level) => {
    expect(decide([levelled('a', level)])).toMatchObject({ kind: 'revise' });
  });

  it('revises what is lower, or failed its own check, and nothing else', () => {
    expect(decide([levelled('a', 'good'), levelled('b', 'acceptable')])).toMatchObject({
      ...{ kind: 'revise', reason: 'b is acceptable', blocking: [{ id: 'b' }] },
    });
    expect(decide([levelled('a', 'excellent', 'fail'), levelled('b', 'poor')])).toMatchObject({
      ...{ kind: 'revise', reason: 'a is excellent, b is poor' },
      blocking: [{ id: 'a' }, { id: 'b' }],
    });
  });

  it('has other levels for some criteria', () => {
    const given = [levelled('a', 'acceptable'), levelled('b', 'good')];
    expect(decide(given, 'good', { a: 'acceptable' })).toMatchObject({ kind: 'approve' });
    expect(decide(given, 'acceptable', { b: 'excellent' })).toMatchObject({
      reason: 'b is good',
    });
    expect(decide([levelled('toString', 'good')], 'good', {})).toMatchObject({ kind: 'approve' });
    for (const wrong of [['fine'], ['good', { a: 'fine' }]] as unknown as [QualityLevel][])
      expect(() => levelAtLeast(...wrong)).toThrow(withCode('invalid_options'));
  });

  it('stops where a judge failed, and says what the others said', () => {
    const stop = decide([
      errored('a'),
      levelled('b', 'good'),
      levelled('c', 'poor', 'fail'),
      skipped('d'),
      open('e'),
    ]);
    expect(stop?.kind).toBe('stop');
    expect(stop?.reason).toMatch(
      /; b passed, c failed its check, d was skipped: not asked, e is undecided$/,
    );
    expect(decide([errored('a')])?.reason).not.toContain(';');
    const nothing = decide([skipped('a'), skipped('b')]);
    expect(nothing?.kind).toBe('stop');
    expect(nothing?.reason).not.toContain('was skipped: not asked, b');
  });
});

describe('the result of a checklist', () => {
  type Verdict = Parameters<typeof checklistResult>[2][number];
  const yes = (reason: string) => ({ kind: 'yes', reason }) as Verdict;
  const none = (reason: string) => ({ kind: 'not_applicable', reason }) as Verdict;
  const no = (reason: string, findings: object[] = [], dropped = 0) =>
    ({ kind: 'no', reason, findings, dropped }) as unknown as Verdict;
  const codeOf = (...args: Parameters<typeof checklistResult>): unknown => {
    try {
      return checklistResult(...args);
    } catch (error) {
      return (error as ReviewLoopError).code;
    }
  };

  it('is none while a question is open, or if no question concerns the work', () => {
    const open = { kind: 'undecided', problem: 'question 2' } as Verdict;
    expect(codeOf('own', [], [yes('a'), open])).toBe('answer_mismatch');
    expect(codeOf('own', [], [none('a')])).toBe('reviewer_invalid');
    expect(codeOf('own', [{ message: 'x' }], [none('a')])).toMatchObject({ level: 'needs_work' });
  });

  it('explains with the reasons for issues, or else with all reasons, each once', () => {
    expect(
      checklistResult('own', [], [yes(' fine '), yes('fine'), none(''), yes('quick')]),
    ).toEqual({ level: 'excellent', explanation: 'fine quick', issues: [] });
    const finding = { description: 'thin', severity: 'minor' };
    expect(
      checklistResult(
        'own',
        [{ message: 'a key', severity: 'critical' }],
        [yes('fine'), no('too thin', [finding], 2), no('too thin', [], 1)],
      ),
    ).toEqual({
      ...{
        level: 'poor',
        explanation: 'a key too thin (3 unverified: the quote does not occur.)',
      },
      issues: [
        { message: 'a key', severity: 'critical' },
        { message: 'thin', severity: 'minor' },
      ],
    });
    expect(checklistResult('own', [], [no('not so'), yes('fine')])).toMatchObject({
      level: 'excellent',
      explanation: 'not so fine',
    });
  });

  it('has issues with what is known of them', () => {
    const { issues } = checklistResult(
      'own',
      [],
      [
        no('x', [
          { description: 'one', file: 'a.ts', line: 3, suggestedFix: 'do', evidence: 'quote' },
          { description: 'two', file: 'b.ts', severity: 'minor' },
          { description: 'three' },
        ]),
      ],
    );
    expect(issues).toStrictEqual([
      {
        ...{ message: 'one', severity: 'major', location: { file: 'a.ts', line: 3 } },
        ...{ suggestion: 'do', evidence: 'quote' },
      },
      { message: 'two', severity: 'minor', location: { file: 'b.ts' } },
      { message: 'three', severity: 'major' },
    ]);
  });
});
