import { describe, expect, it } from 'vitest';
import { modelErrors } from '@/blocks/models/errors.js';
import { ReviewLoopError } from '@/core/errors.js';
import type { CodeReviewConfig } from '@/products/task-review/code-review-config.js';
import { codeReviewer } from '@/products/task-review/code-reviewer.js';
import {
  aggregateVerdicts,
  issuesIn,
  ReviewVerdict,
} from '@/products/task-review/review-answer.js';
import { reviewCode, runCodeReview } from '@/products/task-review/review-code.js';
import { answerAbout, answersOf } from '@/products/task-review/review-rounds.js';
import type { TaskWork } from '@/products/task-review/task.js';
import type { TaskChange } from '@/products/task-review/task-change.js';
import { CheckOutputs } from '@/products/task-review/task-checks.js';
import {
  fakeReviewerContext,
  hang,
  type ScriptedAnswer,
  scriptedProvider,
} from '@/testing/index.js';
import { diffFile } from '../diff-file.js';
import { major, task } from './support.js';

const change: TaskChange = {
  ...{ base: 'base', digest: 'd1', diff: '+new\n', leftOut: 0 },
  files: [{ path: 'api.js', status: 'modified', added: 1, removed: 0, binary: false }],
};
const verdict = (name: string, issues: readonly object[] = []): string =>
  JSON.stringify({ verdict: name, reason: 'as it is', issues });

/** What the reviewer says about work, and what it proposes. */
async function judged(
  answer: ScriptedAnswer,
  {
    work = {},
    after = change,
    outputs = {},
    ...config
  }: CodeReviewConfig & {
    readonly work?: Partial<TaskWork>;
    readonly after?: TaskChange;
    readonly outputs?: { readonly test?: string; readonly lint?: string };
  } = {},
) {
  const provider = scriptedProvider([answer, answer, answer]);
  const checkOutputs = new CheckOutputs();
  checkOutputs.put('run', 1, outputs);
  const read: string[] = [];
  const reviewer = codeReviewer({
    review: { provider, reasks: 0, ...config },
    checkOutputs,
    readChange: async (name, base) => {
      read.push(`${name} ${base}`);
      return name === 'after' ? after : change;
    },
  });
  const output: TaskWork = { attempt: 1, change, repairs: 0, ...work };
  const said = await reviewer.review({ task, output, iteration: 1 }, fakeReviewerContext());
  const { assessments, proposal } =
    'assessments' in said ? said : { assessments: said, proposal: undefined };
  return {
    assessment: assessments[0],
    proposal,
    read,
    prompt: provider.requests[0]?.messages[0]?.content ?? '',
  };
}

describe('the review of a task', () => {
  it('passes or fails with the reason, the text and the issues', async () => {
    expect(await judged(verdict('passed'))).toMatchObject({
      assessment: {
        ...{ verdict: 'pass', criterion: 'review', score: 1, gaps: [] },
        explanation: 'passed: as it is\nREVIEW_PASSED: as it is',
      },
      ...{ proposal: undefined, read: ['before base', 'after base'] },
    });
    const issue = { severity: 'major', text: 'no tests', file: 'api.js', line: 3 };
    const issues = [issue, { ...issue, line: undefined }, { severity: 'minor', text: 'x' }];
    expect((await judged(verdict('failed', issues))).assessment).toMatchObject({
      ...{ verdict: 'fail', criterion: 'review', score: 0 },
      gaps: [
        {
          ...{ severity: 'major', description: 'no tests', suggestedFix: 'no tests' },
          ...{ location: { file: 'api.js', line: 3 }, criterionId: 'review', autoFixable: true },
        },
        { location: { file: 'api.js' } },
        { severity: 'minor', description: 'x' },
      ],
    });
    expect(
      (await judged('bad\nREVIEW_FAILED: thin', { verdicts: 'markers' })).assessment,
    ).toMatchObject({
      verdict: 'fail',
      gaps: [],
      explanation: 'failed: thin\nbad\nREVIEW_FAILED: thin',
    });
  });

  it('has no verdict where none came, and says whether to ask again', async () => {
    expect((await judged('')).assessment).toMatchObject({
      ...{ verdict: 'errored', criterion: 'review' },
      error: { code: 'review_not_run', what: expect.stringMatching(/empty response/) as string },
    });
    expect((await judged(new Error('gone'))).assessment).toMatchObject({
      ...{ verdict: 'errored', criterion: 'review' },
      error: { code: 'review_broken', retryable: true },
    });
    const prose = await judged('Fine.\nIt is.', { verdicts: 'markers' });
    expect(prose.assessment).toMatchObject({
      error: { code: 'review_not_run', retryable: false, value: 'Fine.\nIt is.' },
    });
    const both = 'REVIEW_PASSED\nREVIEW_FAILED';
    expect((await judged(both, { verdicts: 'markers' })).assessment).toMatchObject({
      error: { code: 'review_broken', retryable: false, value: both },
    });
  });

  it('proposes the files that it fixed, a bounded number of times', async () => {
    const after = { ...change, digest: 'd2' };
    const fixed = await judged(verdict('fixed'), { after, work: { repairs: 1 } });
    expect(fixed).toMatchObject({
      assessment: { verdict: 'fail', explanation: expect.stringMatching(/^fixed: /) as string },
      proposal: { change: { digest: 'd2' }, repairs: 2, attempt: 1 },
    });
    const again = await judged(verdict('fixed'), { after, work: { repairs: 2 } });
    expect(again.proposal).toBeUndefined();
    expect(again.assessment).toMatchObject({
      ...{
        verdict: 'fail',
        explanation: expect.stringMatching(/^failed: fixed again after 2 rounds/) as string,
      },
    });
  });

  it('contradicts the files with no verdict', async () => {
    const changed = await judged(verdict('passed'), { after: { ...change, digest: 'd2' } });
    for (const { assessment, proposal } of [changed, await judged(verdict('fixed'))]) {
      expect(assessment).toMatchObject({
        ...{ verdict: 'errored', error: { code: 'review_broken', retryable: false } },
      });
      expect(proposal).toBeUndefined();
    }
  });

  it('is shown what tests and linter said, and what failed before', async () => {
    const { prompt } = await judged(verdict('passed'), {
      outputs: { test: '15 passed', lint: 'a.js was changed' },
      work: { previousError: 'it broke' },
    });
    for (const text of ['15 passed', 'a.js was changed', 'it broke', '+new'])
      expect(prompt).toContain(text);
  });

  it('reads no work that is binary only [R2-003]', async () => {
    const [file] = change.files;
    if (file === undefined) throw new Error('no file');
    const binary = { ...change, files: [{ ...file, binary: true }] };
    const { assessment, read, prompt } = await judged(verdict('passed'), {
      work: { change: binary },
    });
    expect(assessment).toMatchObject({
      ...{ verdict: 'errored', criterion: 'review' },
      error: {
        code: 'review_not_run',
        what: expect.stringContaining('every changed file is binary') as string,
      },
    });
    expect([read, prompt]).toEqual([[], '']);
  });

  it('asks no judge about files that are too large to read, and names them [R3-038]', async () => {
    const large = { ...change, diff: '', leftOut: 1, unread: change.files.map(({ path }) => path) };
    const { assessment, read, prompt } = await judged(verdict('passed'), {
      work: { change: large },
    });
    expect(assessment).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringContaining('too large to read: api.js (allowUnseen'),
    });
    expect([read, prompt]).toEqual([[], '']);
  });

  it('passes only what was shown whole', async () => {
    const part = { ...change, leftOut: 1, totalBytes: 900 };
    expect((await judged(verdict('passed'), { work: { change: part } })).assessment).toMatchObject({
      ...{ verdict: 'undecided', decidableBy: ['person'] },
      reason: 'only 5 of 900 bytes were shown (diffBytes: 30000)',
    });
    expect((await judged(verdict('failed'), { work: { change: part } })).assessment).toMatchObject({
      verdict: 'fail',
    });
  });
});

describe('the reviewer of a task', () => {
  const parts = { checkOutputs: new CheckOutputs(), readChange: async () => change };
  const built = (review: CodeReviewConfig | false) => codeReviewer({ ...parts, review });
  const provider = { ...scriptedProvider([]), id: 'p', model: 'm' };

  it('has another version with another model or other options', () => {
    const versions = [
      built(false),
      built({}),
      built({ provider }),
      built({ provider: { ...provider, model: 'n' } }),
      built({ provider: { ...provider, id: 'q' } }),
      built({ provider, roles: ['docs'] }),
    ].map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
    expect(built({ provider }).version).toBe(versions[2]);
  });

  it('takes the model of the run where it has none', () => {
    expect(built({}).withProvider?.(provider)?.version).toBe(built({ provider }).version);
    expect(built({ provider }).withProvider).toBeUndefined();
  });

  it('that is disabled skips the review', async () => {
    const output = { attempt: 1, change, repairs: 0 };
    expect(
      await built(false).review({ task, output, iteration: 1 }, fakeReviewerContext()),
    ).toMatchObject([{ verdict: 'skipped', criterion: 'review' }]);
  });
});

const file = diffFile('a.js');
const partText = 'diff --git a/a.js b/a.js\n+new\n';

describe('a code review of a change that was shown in part', () => {
  const change = { text: partText, files: [file, { ...file, path: 'logo.png', binary: true }] };
  const reviewed = (answer: string, allowUnseen?: readonly string[]) =>
    reviewCode(task, { provider: scriptedProvider([answer]), allowUnseen }, { change });

  it.each(['passed', 'fixed'])('is no review if it says %s', async (name) => {
    const { verdict: said, error, reason } = await reviewed(verdict(name));
    expect(said).toBe('not_run');
    expect(error).toContain('logo.png');
    expect(reason).toBe(error);
  });

  it('still fails, and passes if the rest is left out on purpose', async () => {
    expect(await reviewed(verdict('failed'))).toMatchObject({
      ...{ verdict: 'failed', error: 'Review found issues' },
    });
    expect(await reviewed(verdict('passed'), ['.png'])).toMatchObject({
      ...{ verdict: 'passed', error: undefined },
    });
    expect(await reviewed(verdict('passed'), ['.png'])).not.toHaveProperty('part');
  });

  it('takes a change that was measured before as it is', async () => {
    const measured = {
      ...{ base: 'b', digest: 'd', leftOut: 0, diff: '+one\n', parts: ['+first\n', '+second\n'] },
      files: [file],
    };
    const provider = scriptedProvider([verdict('passed'), verdict('passed')]);
    expect((await reviewCode(task, { provider }, { change: measured })).verdict).toBe('passed');
    const prompts = provider.requests.map(({ messages }) => messages[0]?.content ?? '');
    expect(prompts.map((prompt) => /^\+(.*)$/m.exec(prompt)?.[1])).toEqual(['first', 'second']);
  });
});

describe('parts of one review', () => {
  const change = {
    ...{ base: 'b', digest: 'd', leftOut: 0, diff: '', parts: ['+1\n', '+2\n', '+3\n'] },
    files: [file],
  };
  const combined = (...answers: Parameters<typeof scriptedProvider>[0] & readonly unknown[]) =>
    reviewCode(task, { provider: scriptedProvider(answers as string[]), reasks: 0 }, { change });

  it('name those that decide, and all texts', async () => {
    const issue = { severity: 'major', text: 'thin' };
    const failed = JSON.stringify({ verdict: 'failed', reason: 'bad', issues: [issue] });
    expect(await combined(verdict('passed'), failed, verdict('passed'))).toMatchObject({
      ...{ verdict: 'failed', reason: 'part 2: bad', issues: [issue] },
      output:
        'part 1:\nREVIEW_PASSED: as it is\n\npart 2:\nMAJOR: thin\nREVIEW_FAILED: bad\n\npart 3:\nREVIEW_PASSED: as it is',
    });
    expect(await combined(verdict('passed'), verdict('passed'), verdict('passed'))).toMatchObject({
      ...{ verdict: 'passed', reason: 'part 1: as it is; part 2: as it is; part 3: as it is' },
    });
  });

  it('are no review where one is missing, which may come later', async () => {
    const down = new ReviewLoopError(modelErrors.provider_rate_limited, 'slow', {
      retryable: true,
    });
    const {
      verdict: said,
      reason,
      retryable,
      output,
    } = await combined(...([verdict('passed'), down, verdict('passed')] as unknown as string[]));
    expect([said, retryable]).toEqual(['error', true]);
    expect(reason).toMatch(/^part 2: API error: .*slow/);
    expect(output).toContain('part 2:\nAPI error');
  });
});

it('a review without a change is shown none', async () => {
  const provider = scriptedProvider([verdict('passed')]);
  expect((await reviewCode(task, { provider })).verdict).toBe('passed');
  expect(provider.requests[0]?.messages[0]?.content).not.toContain('Code Changes');
});

it('outputs of checks are those of one run and one review, until they are forgotten', () => {
  const outputs = new CheckOutputs();
  outputs.put('r', 1, { test: 'one' });
  outputs.put('r', 2, { test: 'two' });
  outputs.put('s', 1, { lint: 'clean' });
  expect([outputs.get('r', 1), outputs.get('r', 2), outputs.get('r', 3)]).toEqual([
    ...[{ test: 'one' }, { test: 'two' }, {}],
  ]);
  outputs.forget('r');
  expect([outputs.get('r', 1), outputs.get('s', 1), outputs.get('t', 1)]).toEqual([
    ...[{}, { lint: 'clean' }, {}],
  ]);
});

it('the answer of a person to a version has a name and a reason, which may be a note', async () => {
  const answer = (digest: string, given: object) => ({ type: 'answer', digest, answer: given });
  const records = [
    { type: 'step', digest: 'c' },
    answer('a', { kind: 'revise', by: 'Ada', note: 'more milk' }),
    answer('b', { kind: 'approve', by: 'Bo', reason: 'seen' }),
    answer('d', { kind: 'approve', by: 'Bo' }),
  ];
  const store = { read: async (id: string) => (id === 'r' ? records : undefined) };
  const answers = await answersOf(store as never, 'r');
  const about = (version: string) => answerAbout({ version } as never, answers);
  expect(about('a')).toEqual({ decidedBy: 'Ada', decisionReason: 'more milk' });
  expect(about('b')).toEqual({ decidedBy: 'Bo', decisionReason: 'seen' });
  expect(about('d')).toEqual({ decidedBy: 'Bo', decisionReason: null });
  expect(about('c')).toEqual({ decidedBy: null, decisionReason: null });
  expect((await answersOf(store as never, 'none')).size).toBe(0);
});

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
  it('returns verdict, error and output; a structured verdict is read by its schema [P4-24]', async () => {
    const run = (text: string, more: CodeReviewConfig = {}) =>
      runCodeReview(task, { provider: saying(text), ...more });
    const passed = JSON.stringify({ verdict: 'passed', reason: 'fine', issues: [] });
    expect(await run(passed)).toEqual(['passed', null, 'REVIEW_PASSED: fine']);
    const failed = JSON.stringify({ verdict: 'failed', reason: 'bad', issues: [major] });
    expect(await run(failed)).toEqual([
      ...['failed', 'Review found issues'],
      'MAJOR: No error handling in API call (api.js:1)\nREVIEW_FAILED: bad',
    ]);
    const marked = 'looks good\nREVIEW_PASSED';
    expect(await run(marked, { verdicts: 'markers' })).toEqual(['passed', null, marked]);
  });

  it('silence is never a pass: a timeout, an empty answer, a broken call, a cut answer, a contradiction', async () => {
    const contradiction = JSON.stringify({ verdict: 'passed', reason: '', issues: [major] });
    for (const [answers, verdict, error] of [
      [[hang], 'not_run', /Review timed out: no answer within 0.2 s/],
      [[''], 'not_run', /empty response/],
      [
        [new ReviewLoopError(modelErrors.provider_rate_limited, 'slow down')],
        'error',
        /API error.*slow down/,
      ],
      [[new Error('exit 1')], 'error', /API error/],
      [[{ text: 'REVIEW_PASSED', finish: 'length' as const }], 'not_run', /cut off/],
      [[{ text: 'REVIEW_PASSED', finish: 'content-filter' as const }], 'not_run', /./],
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

  const invalid = { code: 'invalid_options' };
  const wrongUse: [string, object, object][] = [
    ['no provider', { provider: undefined }, { code: 'provider_missing' }],
    ['no roles', { roles: [] }, invalid],
    ['a role twice', { roles: ['docs', 'docs'] }, invalid],
    ['roles that are no list', { roles: 'docs' }, invalid],
    ['unknown verdicts', { verdicts: 'guessed' }, invalid],
    ['a template that is no text', { template: 7 }, invalid],
    ['no time', { timeoutMs: 0 }, invalid],
    ['an unknown option', { nope: 1 }, invalid],
  ];
  it.each(wrongUse)('refuses %s', async (_, config, error) => {
    const given = { provider: saying(''), ...config };
    await expect(reviewCode(task, given)).rejects.toMatchObject(error);
  });

  it('refuses what are no options', async () => {
    await expect(reviewCode(task, null as never)).rejects.toMatchObject(invalid);
  });
});
