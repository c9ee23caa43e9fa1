import { describe, expect, it } from 'vitest';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { modelErrors } from '../../../src/model/errors.js';
import { buildReviewPrompt } from '../../../src/task-review/build-review-prompt.js';
import { parseVerdicts } from '../../../src/task-review/parse-verdicts.js';
import { issuesIn } from '../../../src/task-review/review-answer.js';
import { reviewCode, runCodeReview } from '../../../src/task-review/review-code.js';
import { aggregateVerdicts, ReviewVerdict } from '../../../src/task-review/review-verdict.js';
import { hang, scriptedProvider } from '../../../src/testing/index.js';
import { major, task } from './support.js';

const saying = (text: string) => scriptedProvider([text]);

describe('the verdicts of a review', () => {
  it('their names are those of the seed [P4-19, P4-20, P4-21, P4-22, P4-23]', () => {
    expect(ReviewVerdict).toEqual({
      PASSED: 'passed',
      FIXED: 'fixed',
      FAILED: 'failed',
      SKIPPED: 'skipped',
      REJECTED: 'rejected',
      NOT_RUN: 'not_run',
      ERROR: 'error',
    });
  });

  it('a marker is a line of its own; none is not_run, two different ones are an error [D002-08]', () => {
    for (const [text, verdict] of [
      ['fine\nREVIEW_PASSED', 'passed'],
      ['  review_fixed : two things  \r\n', 'fixed'],
      ['REVIEW_FAILED: bad\nREVIEW_FAILED', 'failed'],
      ['I would say REVIEW_PASSED here', 'not_run'],
      ['- REVIEW_PASSED', 'not_run'],
      ['> REVIEW_PASSED', 'not_run'],
      ['REVIEW_PASSEDX', 'not_run'],
      ['', 'not_run'],
      ['REVIEW_PASSED\nREVIEW_FAILED: x', 'error'],
    ] as const)
      expect(parseVerdicts(text).verdict, text).toBe(verdict);
    expect(parseVerdicts('REVIEW_FAILED: no tests').reason).toBe('no tests');
  });

  it('roles are put together: failed, fixed, error, not_run; passed only when all of them passed', () => {
    expect(aggregateVerdicts(['passed', 'failed', 'error'])).toBe('failed');
    expect(aggregateVerdicts(['passed', 'error', 'fixed'])).toBe('fixed');
    expect(aggregateVerdicts(['not_run', 'error', 'passed'])).toBe('error');
    expect(aggregateVerdicts(['not_run', 'passed'])).toBe('not_run');
    expect(aggregateVerdicts(['passed', 'passed'])).toBe('passed');
    expect(aggregateVerdicts([])).toBe('not_run');
  });

  it('issues are read where they have a form, and their number is not known where they have none [D002-12]', () => {
    expect(
      issuesIn(
        '2 issues found:\n  MAJOR: No error handling (api.py:45)\n  MINOR: Unused import (utils.py:1)\n',
      ),
    ).toEqual([
      { severity: 'major', text: 'No error handling', file: 'api.py', line: 45 },
      { severity: 'minor', text: 'Unused import', file: 'utils.py', line: 1 },
    ]);
    expect(issuesIn('all bad')).toBeNull();
  });
});

describe('runCodeReview', () => {
  it('gives verdict, error and output; a structured verdict is read by its schema [P4-24]', async () => {
    expect(
      await runCodeReview(task, {
        provider: saying(JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] })),
      }),
    ).toEqual(['passed', null, 'REVIEW_PASSED: fine']);
    expect(
      await runCodeReview(task, {
        provider: saying(JSON.stringify({ verdict: 'failed', reason: 'bad', issues: [major] })),
      }),
    ).toEqual([
      'failed',
      'Review found issues',
      'MAJOR: No error handling in API call (api.js:1)\nREVIEW_FAILED: bad',
    ]);
    expect(
      await runCodeReview(task, {
        verdicts: 'markers',
        provider: saying('looks good\nREVIEW_PASSED'),
      }),
    ).toEqual(['passed', null, 'looks good\nREVIEW_PASSED']);
  });

  it('silence is never a pass: a timeout, an empty answer, a broken call, a cut answer, a contradiction', async () => {
    const contradiction = JSON.stringify({ verdict: 'passed', reason: '', issues: [major] });
    for (const [answers, verdict, error] of [
      [[hang], 'not_run', /Review timed out/],
      [[''], 'not_run', /empty response/],
      [
        [new ReviewLoopError(modelErrors.provider_rate_limited, 'slow down')],
        'error',
        /API error.*slow down/,
      ],
      [[new Error('exit 1')], 'error', /API error/],
      [[{ text: 'REVIEW_PASSED', finish: 'length' as const }], 'not_run', /cut off/],
    ] as const)
      expect(
        await runCodeReview(task, {
          verdicts: 'markers',
          timeoutMs: 200,
          provider: scriptedProvider([...answers]),
        }),
      ).toEqual([verdict, expect.stringMatching(error), expect.toSatisfy(() => true)]);
    expect((await runCodeReview(task, { reasks: 0, provider: saying(contradiction) }))[0]).toBe(
      'not_run',
    );
  });

  it('roles are asked side by side, and every silent one is named', async () => {
    const provider = scriptedProvider(({ messages }) => {
      const text = messages[0]?.content ?? '';
      if (text.includes('Testing:')) return new Error('gone');
      return JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] });
    });
    const review = await reviewCode(task, { provider, roles: ['quality', 'testing', 'docs'] });
    expect(provider.requests).toHaveLength(3);
    expect(review).toMatchObject({
      verdict: 'error',
      error: expect.stringContaining('testing error'),
    });
    expect(review.output).toContain('=== TESTING REVIEW ===');
  });

  it('the templates for ollama and llama.cpp are rendered only: no program of theirs is run here', () => {
    for (const cliName of ['ollama', 'llama'])
      expect(buildReviewPrompt(task, { cliName })).toMatch(
        /You cannot edit files[\s\S]*REVIEW_PASSED: reason\nREVIEW_FAILED: reason$/,
      );
    expect(buildReviewPrompt(task, { cliName: 'claude' })).toContain('REVIEW_FIXED');
  });

  it('refuses wrong use', async () => {
    await expect(reviewCode(task, {})).rejects.toMatchObject({ code: 'provider_missing' });
    await expect(reviewCode(task, { provider: saying(''), roles: [] })).rejects.toMatchObject({
      code: 'invalid_options',
    });
    await expect(
      reviewCode(task, { provider: saying(''), nope: 1 } as never),
    ).rejects.toMatchObject({ code: 'invalid_options' });
  });
});
