import { describe, expect, it } from 'vitest';
import { ReviewLoopError } from '../../../src/core/errors.js';
import { errorCodes } from '../../../src/errors.js';
import { issuesIn, issueText } from '../../../src/task-review/review-answer.js';
import { reviewCode } from '../../../src/task-review/review-code.js';
import { taskStatusLine } from '../../../src/task-review/task.js';
import { taskQuestionTexts } from '../../../src/task-review/task-question-texts.js';
import { fakeReviewerContext, hang, scriptedProvider } from '../../../src/testing/index.js';
import { taskAttempt } from '../../support/task-attempt.js';
import { major, task } from './support.js';

describe('a question to one reviewer', () => {
  it.each([
    ['budget_exceeded', 'not_run', /No budget for the review/],
    ['answer_refused', 'not_run', /The reviewer refused/],
    ['answer_filtered', 'not_run', /stopped by a filter/],
    ['provider_timeout', 'not_run', /Review timed out/],
    ['provider_unauthorized', 'error', /API error/],
  ] as const)('that ends with %s is %s', async (code, verdict, reason) => {
    const provider = scriptedProvider([
      new ReviewLoopError(errorCodes[code], 'as it is', { retryable: code === 'provider_timeout' }),
    ]);
    expect(await reviewCode(task, { provider })).toMatchObject({
      verdict,
      reason: expect.stringMatching(reason),
      issues: null,
      output: '',
      retryable: code === 'provider_timeout',
    });
  });

  it('is a recorded step where a context is given, in both forms, and reports its cost', async () => {
    const usage = { inputTokens: 5, outputTokens: 2 };
    for (const [verdicts, text] of [
      ['markers', 'REVIEW_PASSED: fine'],
      ['structured', JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] })],
    ] as const) {
      const steps: string[] = [];
      const spent: object[] = [];
      const fake = fakeReviewerContext();
      const context = {
        ...fake,
        step: ((name, options, work) => {
          steps.push(name);
          return fake.step(name, options, work);
        }) satisfies typeof fake.step,
        reportUsage: (used: object) => void spent.push(used),
      };
      const provider = scriptedProvider([{ text, usage }]);
      expect(await reviewCode(task, { provider, verdicts }, { context }), verdicts).toMatchObject({
        verdict: 'passed',
        reason: 'fine',
      });
      expect(steps, verdicts).toHaveLength(1);
      expect(spent, verdicts).toEqual([expect.objectContaining(usage)]);
    }
  });

  it('that is left by its caller rejects, and is no verdict', async () => {
    for (const verdicts of ['markers', 'structured'] as const) {
      const gone = AbortSignal.abort(new Error('left'));
      await expect(
        reviewCode(task, { provider: scriptedProvider(() => hang), verdicts }, { signal: gone }),
        verdicts,
      ).rejects.toThrow();
    }
  });

  it('an answer that ended in a way of its own has no verdict', async () => {
    const provider = scriptedProvider([{ text: 'REVIEW_PASSED', finish: 'content-filter' }]);
    expect((await reviewCode(task, { provider, verdicts: 'markers' })).verdict).toBe('not_run');
  });

  it('says which issues were fixed, and names the verdict where nobody gave a reason', async () => {
    const provider = scriptedProvider([
      JSON.stringify({ verdict: 'fixed', reason: '', issues: [{ ...major, fixed: true }] }),
    ]);
    expect(await reviewCode(task, { provider })).toMatchObject({
      verdict: 'fixed',
      error: undefined,
      reason: 'fixed',
      output: 'MAJOR: No error handling in API call (api.js:1) [fixed]\nREVIEW_FIXED: ',
    });
  });

  it('the number of issues is not known where one that found some named none in a readable form', async () => {
    const [said, bare] = ['MINOR: a (b.js:1)\nREVIEW_FAILED', 'it is bad\nREVIEW_FAILED'];
    expect(
      (await reviewCode(task, { provider: scriptedProvider([bare]), verdicts: 'markers' })).issues,
    ).toBeNull();
    const two = await reviewCode(task, {
      provider: scriptedProvider([said, bare]),
      verdicts: 'markers',
      roles: ['quality', 'docs'],
    });
    expect(two.issues).toHaveLength(1);
    expect(two.output).toBe(`=== QUALITY REVIEW ===\n${said}\n\n=== DOCS REVIEW ===\n${bare}`);
  });

  it('roles that were given twice, or are none, are refused', async () => {
    const provider = scriptedProvider(['']);
    for (const config of [
      { roles: ['docs', 'docs'] },
      { roles: 'docs' },
      { verdicts: 'guessed' },
      { template: 7 },
      { timeoutMs: 0 },
    ] as object[])
      await expect(
        reviewCode(task, { provider, ...config }),
        JSON.stringify(config),
      ).rejects.toMatchObject({ code: 'invalid_options' });
    await expect(reviewCode(task, null as never)).rejects.toMatchObject({
      code: 'invalid_options',
    });
  });
});

describe('issues in text', () => {
  it('have a severity, and a place as far as one is named', () => {
    expect(
      issuesIn('BLOCKER: it does not start\n- **CRITICAL**: a hole (src/a.ts)\n* minor : (b.ts:0)'),
    ).toEqual([
      { severity: 'critical', text: 'it does not start' },
      { severity: 'critical', text: 'a hole', file: 'src/a.ts' },
      { severity: 'minor', text: '(b.ts:0)', file: 'b.ts' },
    ]);
    expect(issueText({ severity: 'major', text: 'a hole' })).toBe('MAJOR: a hole');
    expect(issueText({ severity: 'major', text: 'a hole', file: 'a.ts' })).toBe(
      'MAJOR: a hole (a.ts)',
    );
  });
});

describe('texts about a task', () => {
  it('the gate says so where nothing is known of a review, and where nothing was found', () => {
    expect(taskQuestionTexts(task, undefined, undefined)).toMatchObject({
      assessment: 'No review took place.',
      details: 'The reviewers reported nothing.',
      note: 'Fix requested. Review findings:\nnone were named',
    });
  });

  it('a status line counts one issue as one', () => {
    expect(taskStatusLine({ id: 'T-1' }, taskAttempt({ reviewStatus: 'failed', issues: 1 }))).toBe(
      'T-1: failed  (review: failed, 1 issue)',
    );
    expect(
      taskStatusLine({ id: 'T-1' }, taskAttempt({ reviewStatus: 'failed', issues: null })),
    ).toBe('T-1: failed  (review: failed)');
  });
});
