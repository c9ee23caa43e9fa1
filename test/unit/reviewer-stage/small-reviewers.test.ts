import { describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/core/assessment.js';
import type { Reviewer } from '../../../src/core/reviewer.js';
import { estimatedTokens } from '../../../src/ports/token-counter.js';
import { afterVerification } from '../../../src/reviewer-stage/after-verification.js';
import type { ChangedFile, CompletedWork } from '../../../src/reviewer-stage/completed-work.js';
import { fromDimension } from '../../../src/reviewer-stage/from-dimension.js';
import { nothingToReview } from '../../../src/reviewer-stage/nothing-to-review.js';
import { reviewDepth } from '../../../src/reviewer-stage/review-depth.js';
import { undecidedDimension } from '../../../src/reviewer-stage/undecided-dimension.js';
import { verificationReviewer } from '../../../src/reviewer-stage/verification-reviewer.js';
import { fakeReviewerContext, scriptedProvider } from '../../../src/testing/index.js';
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
const empty = { ...work, changedFiles: [] };
const results = (...verificationResults: CompletedWork['verificationResults']) => ({
  ...work,
  verificationResults,
});

describe('work with nothing to review', () => {
  const nothing = (...changedFiles: ChangedFile[]) => nothingToReview({ ...work, changedFiles });

  it('has no file, or only files without visible content', () => {
    expect(nothing()).toBe('no file was changed');
    for (const file of [
      { path: 'a', status: 'new', content: ' \n\t' },
      {
        path: 'a',
        status: 'modified',
        content: 'x',
        diff: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\n+ \n x\n',
      },
      { path: 'a', status: 'modified', diff: '' },
    ] as const)
      expect(nothing(file), JSON.stringify(file)).toBe('the changes have no visible content');
  });

  it('is none with one change that somebody can see', () => {
    const blank = { path: 'b', status: 'new', content: ' ' } as const;
    for (const file of [
      { path: 'a', status: 'new', content: 'x' },
      { path: 'a', status: 'deleted' },
      { path: 'a', status: 'renamed', diff: '' },
      { path: 'a', status: 'new', omitted: 'binary' },
      { path: 'a', status: 'modified' },
      { path: 'a', status: 'modified', diff: '@@ -1 +1 @@\n-gone\n' },
      { path: 'a', status: 'modified', diff: '@@ -1 +1 @@\n+x\n' },
      { path: 'a', status: 'modified', diff: 'old mode 100644\nnew mode 100755\n' },
    ] as const)
      expect(nothing(blank, file), JSON.stringify(file)).toBeUndefined();
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
    expect(
      await said(verificationReviewer(), { ...empty, verificationResults: failed }),
    ).toMatchObject([{ verdict: 'fail' }]);
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
    expect(
      await said(reviewer, results({ name: 'a', passed: true }, { name: 'b', passed: false })),
    ).toMatchObject([{ verdict: 'skipped', criterion: 'own' }]);
    expect(calls).toBe(2);
  });
});

describe('a dimension without a model', () => {
  it('is left to a model or a person', async () => {
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
    expect(await depthOf({ files: 1, tokens: 5 }, [{ path: 'a', status: 'deleted' }])).toBe(
      'quick',
    );
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
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});

describe('files that a dimension did not see whole', () => {
  const judged = async (...changedFiles: ChangedFile[]) =>
    (
      await said(fromDimension(saying('own', good), { threshold: 'good' }), {
        ...work,
        changedFiles,
      })
    )[0];
  const text = { path: 'a.ts', status: 'modified', content: 'x', diff: '+x' } as const;

  it('leave a pass to a person, and say which they are', async () => {
    expect(await judged(text)).toMatchObject({ verdict: 'pass' });
    expect(await judged(text, { ...text, path: 'b.ts', omitted: 'cut' })).toMatchObject({
      ...{ verdict: 'undecided', decidableBy: ['person'] },
      reason: 'only a part was shown of b.ts (allowTruncated)',
    });
    for (const omitted of ['binary', 'submodule'] as const) {
      const hidden = { path: 'logo', status: 'new', omitted } as const;
      expect(await judged(text, hidden)).toMatchObject({
        ...{ verdict: 'undecided', reason: expect.stringContaining('logo') as string },
      });
      expect(await judged(text, { ...hidden, mayBeUnseen: true })).toMatchObject({
        verdict: 'pass',
      });
      expect(await judged(text, { ...hidden, status: 'deleted' })).toMatchObject({
        verdict: 'pass',
      });
    }
    expect(await judged(text, { ...text, omitted: 'content' })).toMatchObject({ verdict: 'pass' });
  });
});
